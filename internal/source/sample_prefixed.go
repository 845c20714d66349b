package source

import "bytes"

// prefixedJSON takes the sample as JSON objects behind a prefix, as logging's
// "%(asctime)s %(message)s" writes them. A prefix with pairs is another log's.
func (s *sample) prefixedJSON(forced Role) (Recognised, *Error, bool) {
	var set columnSet
	d := newJSONDecoder(Recognised{Role: Attempts, prefixed: true}, maxLine)
	for _, line := range s.lines() {
		i := objectStart(line)
		if i <= 0 || bytes.IndexByte(line[:i], '=') >= 0 {
			continue
		}
		body := bytes.TrimRight(line[i:], " \t\r\n")
		if d.record = nil; !d.parse(body) || !jsonMarks.on(&d.row, d.evt, false) {
			continue
		}
		d.record = func(path, value []byte, _ target) { set.add(path, value) }
		d.parse(body)
	}
	switch {
	case len(set.cols) == 0:
		return Recognised{}, nil, false
	case forced == Charges:
		return Recognised{}, &Error{Found: "the lines of an attempt log (a time, then JSON)",
			Expected: "a billing export", Hint: "say --attempts FILE"}, true
	}
	rec := mapColumns(Attempts, set.cols, nil).recognised(JSONL)
	rec.Format, rec.prefixed = "python-json", true
	return rec, nil, true
}

// objectStart is where the JSON object of a line begins: at 0 where nothing stands before
// it, -1 where there is none.
func objectStart(line []byte) int {
	for i := 0; i < len(line); i++ {
		j := bytes.IndexByte(line[i:], '{')
		if j < 0 {
			return -1
		}
		if i += j; len(bytes.TrimLeft(line[i+1:], " \t")) > 0 && bytes.TrimLeft(line[i+1:], " \t")[0] == '"' {
			return i
		}
	}
	return -1
}
