package source

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// priceList tells a price list by its marks: LiteLLM's keys, or a CSV header with a model and
// prices per million tokens.
func (s *sample) priceList() bool {
	text := s.text[s.start:]
	if bytes.HasPrefix(text, []byte("{")) {
		return bytes.Contains(text, []byte(`"litellm_provider"`)) && bytes.Contains(text, []byte(`_cost_per_token"`)) ||
			bytes.Contains(text, []byte(`"litellm_provider"`)) && bytes.Contains(text, []byte(`"sample_spec"`))
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	model, price := false, false
	for _, name := range strings.Split(strings.ToLower(string(line)), ",") {
		name = strings.Trim(strings.TrimSpace(name), `"`)
		model = model || name == "model"
		price = price || strings.HasSuffix(name, "_per_million")
	}
	return model && price
}

// IsPriceList tells a price list by its first lines. What cannot be read is none.
func IsPriceList(in *Input) bool {
	s, err := readSample(in, sampleBytes)
	return err == nil && s.priceList()
}

// Text is the whole decompressed content as UTF-8, and its hash; a content of more than max
// bytes is an error.
func (in *Input) Text(max int64) (text []byte, sha256 string, err error) {
	c, err := openContent(in)
	if err != nil {
		return nil, "", err
	}
	defer c.Close()
	text, err = io.ReadAll(io.LimitReader(c, max+1))
	if err != nil {
		return nil, "", err
	}
	if int64(len(text)) > max {
		return nil, "", &Error{File: in.Name, Found: fmt.Sprintf("more than %d bytes", max), Expected: "a smaller file", Kind: ErrUnrecognised,
			Hint: "look whether it is the file that you mean"}
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, "", &Error{File: in.Name, Found: "an empty file", Expected: "records", Kind: ErrEmpty, Hint: "export it again, or leave it out"}
	}
	return text, c.SHA256(), nil
}
