package source

import "bytes"

// The client of the first article writes two lines, and none for an attempt that was
// answered with an error:
//
//	request_id=%s attempt=%d success cost=%.2fs
//	request_id=%s attempt=%d timeout=%s error=%s status=%s
//
// timeout is the elapsed time, a Python float; error is free text, with blanks, brackets
// and whatever looks like a pair, up to the last " status="; status is not this attempt's
// but the last one that an earlier attempt got, or None. Attempts count from 0.
type pythonLine struct {
	id, attempt, elapsed, reason, status []byte
	success                              bool
	from, end                            int    // where the message lies in the line
	broken                               string // what cannot be read in it
}

var (
	idMark      = []byte("request_id=")
	successMark = []byte(" success cost=")
	timeoutMark = []byte(" timeout=")
	errorMark   = []byte(" error=")
	statusMark  = []byte(" status=")
)

// findPython finds such a message in a line, whatever stands before it. What is no whole
// message is none, since other logs have these keys too; in a file that has such messages
// (sure) it is a broken one.
func findPython(text []byte, sure bool) (p pythonLine, found bool) {
	for at := 0; ; {
		i := bytes.Index(text[at:], idMark)
		if i < 0 {
			return p, false
		}
		from := at + i
		at = from + len(idMark)
		if from > 0 && keyByte[text[from-1]] {
			continue
		}
		p = pythonLine{from: from, end: len(text)}
		if p.read(text, sure) {
			return p, true
		}
	}
}

// read reads the message that begins at p.from.
func (p *pythonLine) read(text []byte, sure bool) bool {
	var ok bool
	p.id, text, _ = bytes.Cut(text[p.from+len(idMark):], []byte{' '})
	if text, ok = bytes.CutPrefix(text, []byte("attempt=")); !ok {
		return false
	}
	n := 0
	for n < len(text) && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	p.attempt, text = text[:n], text[n:]
	if rest, ok := bytes.CutPrefix(text, successMark); ok && n > 0 {
		p.readCost(rest)
		return true
	}
	rest, ok := bytes.CutPrefix(text, timeoutMark)
	if !ok || n == 0 {
		return false
	}
	p.elapsed, rest = cutRun(rest, func(c byte) bool { return c != ' ' })
	if rest, ok = bytes.CutPrefix(rest, errorMark); !ok || !pythonFloat(p.elapsed) {
		return false
	}
	return p.readError(rest, sure)
}

// readCost reads 1.23s.
func (p *pythonLine) readCost(rest []byte) {
	p.success = true
	v, rest := cutRun(rest, func(c byte) bool { return keyByte[c] || c == '+' })
	seconds, unit := bytes.CutSuffix(v, []byte{'s'})
	if !unit || !pythonFloat(seconds) {
		p.broken = "found cost=" + printable(v[:min(len(v), 60)]) + ", expected seconds such as cost=1.23s"
	}
	p.elapsed, p.end = seconds, p.end-len(rest)
}

// readError reads the free text up to the last status, and that status.
func (p *pythonLine) readError(rest []byte, sure bool) bool {
	i := bytes.LastIndex(rest, statusMark)
	if i < 0 {
		p.broken = "found no status= behind error=, expected status=None or a status of three digits (the line is cut short)"
		return sure
	}
	v, tail := cutRun(rest[i+len(statusMark):], func(c byte) bool { return keyByte[c] })
	p.reason, p.status = rest[:i], v
	if string(v) != "None" && !(len(v) == 3 && digits(v)) {
		p.broken = "found status=" + printable(v[:min(len(v), 60)]) + ", expected status=None or a status of three digits"
		return sure
	}
	p.end -= len(tail)
	// More pairs behind it are another log's, unless a collector added them to this one.
	return sure || len(tail) == 0 || tail[0] != ' ' && tail[0] != '\t' || len(bytes.TrimSpace(tail)) == 0
}

// cutRun cuts off the head of s whose bytes are all in a set.
func cutRun(s []byte, in func(byte) bool) (head, rest []byte) {
	n := 0
	for n < len(s) && in(s[n]) {
		n++
	}
	return s[:n], s[n:]
}

// pythonFloat tells a float as Python prints one, which has a point or an exponent.
func pythonFloat(v []byte) bool {
	v = bytes.TrimPrefix(v, []byte{'-'})
	whole, rest := cutRun(v, isDigit)
	point := false
	if rest, point = bytes.CutPrefix(rest, []byte{'.'}); point {
		var part []byte
		if part, rest = cutRun(rest, isDigit); len(part) == 0 {
			return false
		}
	}
	exp, has := bytes.CutPrefix(rest, []byte{'e'})
	if has {
		exp = bytes.TrimLeft(exp, "+-")
		return len(whole) > 0 && digits(exp)
	}
	return point && len(whole) > 0 && len(rest) == 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

var (
	countsFromCol = columnIndex(Attempts, "counts_from")
	unloggedCol   = columnIndex(Attempts, "unlogged")
	elapsedSCol   = columnIndex(Attempts, "elapsed_s")
	stageCol      = columnIndex(Attempts, "stage")
	outcomeCol    = columnIndex(Attempts, "outcome")
	reasonCol     = columnIndex(Attempts, "reason")
	requestCol    = columnIndex(Attempts, "request_id")
	tsCol         = columnIndex(Attempts, "ts")
)

const noPythonTime = "found no time, expected one before request_id= (log with %(asctime)s)"

// python takes a line of the first article's client, if it is one.
func (d *logfmtDecoder) python(text []byte, line int64, out *sink) bool {
	p, found := findPython(bytes.TrimRight(text, " \t\r"), d.hasPython)
	if !found {
		return false
	}
	d.row.reset()
	d.scratch = d.scratch[:0]
	t, yearless := lineTime(text[:p.from], text[p.end:])
	switch {
	case p.broken != "":
		out.reject(line, "", p.broken, text)
	case yearless:
		out.reject(line, "ts", "found a time without a year, expected a date before request_id= (log with %(asctime)s)", text)
	case t == nil:
		out.reject(line, "ts", noPythonTime, text)
	default:
		d.set(tsCol, d.dotted(t))
		d.pythonRow(p)
		out.add(line, &d.row, text)
	}
	return true
}

// pythonRow says in the canonical columns what a message says.
func (d *logfmtDecoder) pythonRow(p pythonLine) {
	d.set(requestCol, p.id)
	d.set(attemptCol, p.attempt)
	d.set(countsFromCol, []byte{'0'})
	if bytes.IndexByte(p.elapsed, 'e') >= 0 {
		p.elapsed = []byte("0.0") // 9.5e-07: no timeout is that short, none that long
	}
	d.set(elapsedSCol, p.elapsed)
	if p.success {
		d.set(outcomeCol, []byte("success"))
		d.set(unloggedCol, []byte("unknown"))
		return
	}
	d.set(outcomeCol, []byte("timeout"))
	d.set(stageCol, []byte(pythonStage(p.reason)))
	if len(p.reason) > 0 {
		d.set(reasonCol, p.reason)
	}
	if string(p.status) == "None" {
		p.status = []byte("no")
	}
	d.set(unloggedCol, p.status)
}

func (d *logfmtDecoder) set(col int, v []byte) { d.row.put(target{col: col}, v) }

// pythonStage is how far a timed-out attempt came. requests knows two timeouts, and the
// text of the one that never connected says so: "Connection to … timed out. (connect
// timeout=5)", in a ConnectTimeoutError. Any other was a read timeout: the server had the
// request.
func pythonStage(reason []byte) string {
	says := func(words ...string) bool {
		for _, w := range words {
			if bytes.Contains(reason, []byte(w)) {
				return true
			}
		}
		return false
	}
	if says("ConnectTimeout", "(connect timeout=") && !says("ReadTimeout", "Read timed out", "(read timeout=") {
		return "connect"
	}
	return "read"
}
