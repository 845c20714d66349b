package source

import "math/bits"

// marks tell a log line about an attempt from the other lines of a log: the event
// llm_call, or a name for the call together with something that says how it went.
type marks struct {
	who  uint64 // columns that name a call
	how  uint64 // columns that say how an attempt went
	sure uint64 // columns that alone are enough, under their canonical name
}

var (
	logfmtMarks = marks{
		who: columnBits("request_id"),
		how: columnBits("outcome", "status", "reason", "attempt", "elapsed_ms", "elapsed_s", "http_status", "stage"),
	}
	// A JSON object has all its keys even where the log is about something else, but keys
	// are less likely to be there by accident.
	jsonMarks = marks{
		who: columnBits("request_id", "vendor_request_id", "idempotency_key", "provider", "model",
			"input_tokens", "output_tokens"),
		how:  logfmtMarks.how,
		sure: columnBits("outcome"),
	}
)

func columnBits(columns ...string) (m uint64) {
	for _, c := range columns {
		m |= 1 << columnIndex(Attempts, c)
	}
	return m
}

// on tells whether a record has the marks. In a file that marks its attempts with the event
// llm_call, a line of another event is none.
func (m marks) on(r *row, evt []byte, marked bool) bool {
	if len(evt) > 0 {
		if string(evt) == evtName {
			return true
		}
		if marked {
			return false
		}
	}
	if r.seen&m.who != 0 && r.seen&m.how != 0 {
		return true
	}
	for s := r.seen & m.sure; s != 0; s &= s - 1 {
		if r.rank[bits.TrailingZeros64(s)] == 0 {
			return true
		}
	}
	return false
}
