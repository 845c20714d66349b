package synth

// Place is where a line of a bill stands.
type Place struct {
	File string
	Line int64 // from 1, the header included
}

var placedColumns = []string{"source_file", "source_line", "again_file", "again_line", "provider", "charge_id", "line_item",
	"request_id", "amount", "currency", "verdict", "recovery", "excess", "settled", "reason", "why"}

// LabelHeader appends the header of a table of labels over several bills.
func LabelHeader(dst []byte) []byte { return Encoder[ChargeLine]{columns: placedColumns}.Header(dst) }

// AppendLabel appends what a line of the bill truly is, and where it stands. Where exports
// overlap it stands in another file again; its money is billed once.
func AppendLabel(dst []byte, c *ChargeLine, at, again Place) []byte {
	w := csvWriter{dst: dst}
	w.text("source_file", at.File)
	w.count("source_line", at.Line)
	w.text("again_file", again.File)
	if again.File == "" {
		again.Line = Unknown
	}
	w.count("again_line", again.Line)
	w.text("provider", c.Provider)
	w.text("charge_id", c.ChargeID)
	w.text("line_item", c.LineItem)
	w.text("request_id", c.RequestID)
	w.money("amount", c.Amount)
	w.text("currency", c.Currency)
	c.Label.fields(&w)
	w.next()
	return append(c.appendWhy(w.dst), '\n')
}
