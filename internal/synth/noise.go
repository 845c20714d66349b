package synth

import (
	"strconv"
	"time"
)

// AppendNoise appends a line that a log has between those of its attempts: about something
// else, or about an attempt and none all the same. n chooses the line, ms is its time.
func AppendNoise(dst []byte, format Format, zone *time.Location, n, ms int64) []byte {
	if zone == nil {
		zone = time.UTC
	}
	at := time.UnixMilli(ms).In(zone)
	switch format {
	case PythonLog:
		dst = at.AppendFormat(dst, "2006-01-02 15:04:05,000")
		dst = append(dst, pythonNoise[n%int64(len(pythonNoise))]...)
	case JSONL:
		dst = at.UTC().AppendFormat(append(dst, `{"ts":"`...), timeMS)
		dst = append(dst, jsonNoise[n%int64(len(jsonNoise))]...)
	default:
		layout := "15:04:05.000"
		if format == LogfmtDated {
			layout = timeMS
		}
		dst = at.UTC().AppendFormat(append(dst, "ts="...), layout)
		dst = append(dst, logfmtNoise[n%int64(len(logfmtNoise))]...)
		dst = strconv.AppendInt(dst, 100+n*7%900, 10)
	}
	return append(dst, '\n')
}

var (
	logfmtNoise = []string{" level=INFO evt=http_request method=POST path=/chat status=200 elapsed_ms=",
		" level=DEBUG evt=cache_lookup hit=false keys=", " level=INFO evt=queue_depth depth=",
		" level=INFO msg=\"worker idle\" pid="}
	jsonNoise = []string{`","level":"info","msg":"index refreshed"}`, `","level":"debug","msg":"cache warm","size":4096}`}
	// The SDK says that it tries again, in a line of its own: no attempt.
	pythonNoise = []string{" INFO report_worker picked up a job from the queue",
		" DEBUG urllib3.connectionpool Starting new HTTPS connection (1): api.contoso.example:443",
		" INFO report_worker job done"}
)
