package source

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
)

const benchRows = 400_000

// The records are 200 to 250 bytes long and vary in length and in which fields they have.
func benchFile(header string, row func(b *bytes.Buffer, r *rand.Rand, i int)) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	var b bytes.Buffer
	b.WriteString(header)
	for i := range benchRows {
		row(&b, r, i)
	}
	return b.Bytes()
}

func benchLogfmt(b *bytes.Buffer, r *rand.Rand, i int) {
	fmt.Fprintf(b, "ts=2026-10-%02dT12:00:03.%03dZ level=WARN evt=llm_call rid=%016x attempt=%d/3 elapsed_ms=%d stage=read "+
		"result=retryable reason=ReadTimeout model=acme/chat-large-0901 vendor_request_id=req_%016x input_tokens=%d output_tokens=%d\n",
		1+i%30, i%1000, r.Uint64(), 1+i%3, r.IntN(60000), r.Uint64(), r.IntN(9000), r.IntN(900))
}

func benchJSON(b *bytes.Buffer, r *rand.Rand, i int) {
	fmt.Fprintf(b, `{"ts":"2026-10-%02dT12:00:03.%03dZ","level":"warn","request_id":"%016x","attempt":%d,"elapsed_ms":%d,"stage":"read",`+
		`"status":200,"model":"acme/chat-large-0901","vendor_request_id":"req_%016x","usage":{"prompt_tokens":%d,"completion_tokens":%d}}`+"\n",
		1+i%30, i%1000, r.Uint64(), 1+i%3, r.IntN(60000), r.Uint64(), r.IntN(9000), r.IntN(900))
}

const benchCSVHeader = "generation_id,created_at,cost_total,tokens_prompt,tokens_completion,tokens_cached,model_permaslug,provider_name,variant,cancelled,streamed,user,finish_reason_normalized,generation_time_ms,api_key_name,app_name\n"

func benchCSV(b *bytes.Buffer, r *rand.Rand, i int) {
	fmt.Fprintf(b, "gen-1790%06d-%016x,2026-09-%02d 14:13:21.%03d,0.00%d,%d,%d,0,acme/chat-large-0901,AcmeCloud,standard,false,true,order-%016x,stop,%d,production-key-%d,checkout-service\n",
		i, r.Uint64(), 1+i%30, i%1000, r.IntN(99999), r.IntN(9000), r.IntN(900), r.Uint64(), r.IntN(60000), i%10)
}

func benchQuotedCSV(b *bytes.Buffer, r *rand.Rand, i int) {
	fmt.Fprintf(b, `"gen-1790%06d-%016x","2026-09-%02d 14:13:21.%03d","0.00%d","%d","%d","0","acme/chat-large-0901","AcmeCloud","standard","false","true","order-%016x","stop","%d","production ""key"", %d","checkout-service"`+"\n",
		i, r.Uint64(), 1+i%30, i%1000, r.IntN(99999), r.IntN(9000), r.IntN(900), r.Uint64(), r.IntN(60000), i%10)
}

func benchDecode(b *testing.B, content []byte, opts Options) {
	in := BytesInput("bench", content)
	rec, err := Recognise(in, "")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		r, err := Open(context.Background(), in, rec, opts)
		if err != nil {
			b.Fatal(err)
		}
		for {
			batch, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			r.Recycle(batch)
		}
		if n := r.Stats().Records; n != benchRows {
			b.Fatalf("%d records", n)
		}
		r.Close()
	}
	b.ReportMetric(float64(benchRows)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
	b.ReportMetric(float64(len(content))/benchRows, "B/record")
}

func BenchmarkLogfmt(b *testing.B)    { benchDecode(b, benchFile("", benchLogfmt), Options{}) }
func BenchmarkJSONLines(b *testing.B) { benchDecode(b, benchFile("", benchJSON), Options{}) }
func BenchmarkCSV(b *testing.B)       { benchDecode(b, benchFile(benchCSVHeader, benchCSV), Options{}) }
func BenchmarkQuotedCSV(b *testing.B) {
	benchDecode(b, benchFile(benchCSVHeader, benchQuotedCSV), Options{})
}

func BenchmarkJSONArray(b *testing.B) {
	lines := benchFile("", benchJSON)
	content := append([]byte{'['}, bytes.ReplaceAll(bytes.TrimSuffix(lines, []byte{'\n'}), []byte{'\n'}, []byte{',', '\n'})...)
	benchDecode(b, append(content, ']'), Options{})
}
