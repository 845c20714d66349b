package synth

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// TestThePerfectAudit: whoever repeats the labels is always right.
func TestThePerfectAudit(t *testing.T) {
	w := Generate(Mixed(2))
	labels := text(t, func(b *bytes.Buffer) error { return w.WriteLabels(b) })
	card, err := Score(strings.NewReader(labels), strings.NewReader(labels))
	if err != nil {
		t.Fatal(err)
	}
	if card.Lines != len(w.Charges) || card.Accuracy() != 1 || card.Precision() != 1 || card.Recall() != 1 || card.DisputePrecision() != 1 {
		t.Errorf("%+v", card)
	}
	if card.Excess.IsZero() || !card.Found.Equal(card.Excess) {
		t.Errorf("found %s of %s", card.Found, card.Excess)
	}
}

// TestScoreByHand: four lines, of which the audit finds one excess, invents
// one, leaves one open and does not see the last.
func TestScoreByHand(t *testing.T) {
	labels := `source_line,charge_id,line_item,verdict,recovery,excess,settled,reason
2,a,,timeout_retry,own_policy,3,true,
3,b,,delivered,none,0,true,
4,c,,sdk_retry,own_policy,5,true,
5,d,,delivered,none,0,true,
`
	verdicts := `verdict,recovery,excess,settled,source_file,source_line
timeout_retry,own_policy,3,true,charges.csv,2
duplicate_line,vendor_dispute,1,true,charges.csv,3
sdk_retry,own_policy,5,false,charges.csv,4
`
	card, err := Score(strings.NewReader(labels), strings.NewReader(verdicts))
	if err != nil {
		t.Fatal(err)
	}
	if card.Lines != 4 || card.Judged != 3 || card.Right != 2 || card.Both != 2 || card.Settled != 1 {
		t.Errorf("%+v", card)
	}
	if card.Accuracy() != 0.5 || card.Precision() != 0.75 || card.Recall() != 0.375 || card.DisputePrecision() != 0 {
		t.Errorf("accuracy %v precision %v recall %v disputes %v", card.Accuracy(), card.Precision(), card.Recall(), card.DisputePrecision())
	}
	if card.Confusion["delivered"]["duplicate_line"] != 1 || card.Confusion["delivered"][""] != 1 {
		t.Error(card.Confusion)
	}
}

func TestScoreRefusesOtherTables(t *testing.T) {
	labels := "source_line,verdict,recovery,excess,settled\n2,delivered,none,0,true\n"
	for name, verdicts := range map[string]string{
		"no header":       "",
		"a column less":   "source_line,verdict,recovery,excess\n2,delivered,none,0\n",
		"an unknown line": "source_line,verdict,recovery,excess,settled\n3,delivered,none,0,true\n",
		"a line twice":    labels + "2,delivered,none,0,true\n",
		"no number":       "source_line,verdict,recovery,excess,settled\n2,delivered,none,much,true\n",
	} {
		if _, err := Score(strings.NewReader(labels), strings.NewReader(verdicts)); !errors.Is(err, ErrScore) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
