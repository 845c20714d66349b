package synth

import (
	"strconv"
	"time"
)

// pythonRow writes the two lines of a client that logs through Python's logging: one for an
// answer, and one for a timeout, whose status is the last that an earlier attempt had got. Of
// a request that was refused or failed there is no line at all; lines of another outcome
// are not for this format.
func pythonRow(zone *time.Location) func([]byte, *AttemptLine) []byte {
	if zone == nil {
		zone = time.UTC
	}
	return func(dst []byte, a *AttemptLine) []byte {
		dst = time.UnixMilli(a.Written()).In(zone).AppendFormat(dst, "2006-01-02 15:04:05,000")
		if a.Outcome == "success" {
			dst = append(append(dst, " INFO ai_api_client request_id="...), a.RequestID...)
			dst = strconv.AppendInt(append(dst, " attempt="...), int64(a.number), 10)
			return append(appendSeconds(append(dst, " success cost="...), a.ElapsedMS), 's')
		}
		dst = append(append(dst, " WARNING ai_api_client request_id="...), a.RequestID...)
		dst = strconv.AppendInt(append(dst, " attempt="...), int64(a.number), 10)
		dst = appendSeconds(append(dst, " timeout="...), a.ElapsedMS)
		dst = append(append(dst, " error="...), pythonError(a)...)
		dst = append(dst, " status="...)
		if a.status == 0 {
			return append(dst, "None"...)
		}
		return strconv.AppendInt(dst, int64(a.status), 10)
	}
}

// pythonError is the exception as requests prints it.
func pythonError(a *AttemptLine) string {
	host := "HTTPSConnectionPool(host='api." + a.Provider + ".example', port=443): "
	if a.Stage == "connect" {
		return host + "Max retries exceeded with url: /v1/generate (Caused by ConnectTimeoutError(" +
			"<urllib3.connection.HTTPSConnection object at 0x7f5d3c0b2d50>, 'Connection to api." + a.Provider +
			".example timed out. (connect timeout=5)'))"
	}
	return host + "Read timed out. (read timeout=60)"
}

// appendSeconds writes milliseconds as seconds with two decimals.
func appendSeconds(dst []byte, ms int64) []byte {
	hundredths := (ms + 5) / 10
	dst = append(strconv.AppendInt(dst, hundredths/100, 10), '.')
	return append(dst, byte('0'+hundredths/10%10), byte('0'+hundredths%10))
}
