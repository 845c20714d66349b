package synth

// addAdjustments bills what is no usage: each provider's tax on the period, and a credit
// note.
func (s *sim) addAdjustments() {
	if s.Tax <= 0 && s.Credit <= 0 {
		return
	}
	sums := make([]Money, len(s.Providers))
	for i := range s.bill {
		sums[s.providerNamed(s.bill[i].Provider)] += s.bill[i].Amount
	}
	for i, sum := range sums {
		if tax := Money(s.Tax*float64(sum/step)) * step; tax > 0 {
			s.adjust(i, "tax", tax)
		}
		if credit := Money(s.Credit*float64(sum/step)) * step; credit > 0 {
			s.adjust(i, "credit", -credit)
		}
	}
}

// step is a hundredth of a hundredth of the currency, the finest that is no usage.
const step Money = 100_000_000

func (s *sim) adjust(provider int, kind string, amount Money) {
	line := ChargeLine{
		Provider: s.Providers[provider].Name, Book: "bill", ChargeID: s.chargeID(), Attempt: Unknown,
		ChargedAt: s.to - s.between(1000, 60_000), InputTokens: Unknown, CachedTokens: Unknown, OutputTokens: Unknown,
		Amount: amount, Currency: s.Currency, Kind: kind, GenerationMS: Unknown, APIKey: s.APIKey, call: Unknown,
		coarse: s.Providers[provider].Resolution.Milliseconds() >= 1000, Label: newLabel(Adjustment, "", amount),
	}
	if line.coarse {
		line.ChargedAt -= line.ChargedAt % 1000
	}
	s.bill = append(s.bill, line)
}
