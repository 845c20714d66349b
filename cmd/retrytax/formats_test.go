package main

import (
	"context"
	"testing"
	"time"

	"retrytax/internal/config"
	"retrytax/internal/pipeline"
	"retrytax/internal/source"
	"retrytax/internal/store"
	"retrytax/testdata"
)

// The sample of each format is recognised as that format, and all of its rows can be read.
func TestFormatSamples(t *testing.T) {
	s, err := store.Open(context.Background(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var files []pipeline.File
	for _, f := range formats {
		if f.IDs == "" || len(f.Traps) == 0 {
			t.Errorf("%s: found no ids or no traps, expected both", f.Name)
		}
		files = append(files, pipeline.File{Input: source.BytesInput(f.Name, []byte(f.Sample))})
	}
	p, err := pipeline.Preview(context.Background(), s, files, pipeline.Options{Config: config.Default(), Now: time.Date(2026, 11, 3, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range p.Files {
		if f.Error != "" || f.Format != f.File || f.Loaded != 2 || f.Rejected != 0 {
			t.Errorf("%s: found %s with %d rows loaded, %d rejected (%s), expected its own format and 2", f.File, f.Format, f.Loaded, f.Rejected, f.Error)
		}
	}
}

// Each format with a query of its own has a sample to show.
func TestVendorSamples(t *testing.T) {
	for _, f := range source.AllFormats() {
		if testdata.Sample(f.Name) == "" {
			t.Errorf("%s: found no sample in testdata/formats", f.Name)
		}
	}
}
