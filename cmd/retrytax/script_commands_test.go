package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"retrytax/internal/store"
)

func itoa(n int) string { return strconv.Itoa(n) }

// jsonValue asserts one value of a JSON file.
func jsonValue(ts *testscript.TestScript, args []string) {
	if len(args) != 3 {
		ts.Fatalf("usage: json FILE PATH VALUE")
	}
	v := decodeJSON(ts, args[0])
	for _, key := range strings.Split(args[1], ".") {
		v = descend(ts, v, key, args[1])
	}
	if found := render(v); found != args[2] {
		ts.Fatalf("%s: found %s = %s, expected %s", args[0], args[1], found, args[2])
	}
}

// descend takes one step of a path: a key, an index, or "count" for the number of elements.
func descend(ts *testscript.TestScript, v any, key, path string) any {
	switch v := v.(type) {
	case map[string]any:
		if x, ok := v[key]; ok {
			return x
		}
	case []any:
		if key == "count" {
			return json.Number(itoa(len(v)))
		}
		if n, err := strconv.Atoi(key); err == nil && n < len(v) {
			return v[n]
		}
	}
	ts.Fatalf("found no %q of the path %s in %s", key, path, render(v))
	return nil
}

func render(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// decodeJSON reads a file that must hold one JSON value and nothing else.
func decodeJSON(ts *testscript.TestScript, file string) any {
	d := json.NewDecoder(strings.NewReader(ts.ReadFile(file)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		ts.Fatalf("%s: %v", file, err)
	}
	if d.More() {
		ts.Fatalf("%s: found something behind the JSON value, expected nothing", file)
	}
	return v
}

func compareJSON(ts *testscript.TestScript, args []string) {
	a, b := decodeJSON(ts, args[1]), decodeJSON(ts, args[2])
	for _, key := range strings.Split(args[0], ",") {
		delete(a.(map[string]any), key)
		delete(b.(map[string]any), key)
	}
	if d := cmp.Diff(a, b); d != "" {
		ts.Fatalf("%s and %s differ:\n%s", args[1], args[2], d)
	}
}

func compareCSV(ts *testscript.TestScript, args []string) {
	a, b := readCSV(ts, args[1], args[0]), readCSV(ts, args[2], args[0])
	if d := cmp.Diff(a, b); d != "" {
		ts.Fatalf("%s and %s differ:\n%s", args[1], args[2], d)
	}
}

// readCSV reads a CSV file without some of its columns.
func readCSV(ts *testscript.TestScript, file, without string) [][]string {
	rows, err := csv.NewReader(strings.NewReader(ts.ReadFile(file))).ReadAll()
	if err != nil || len(rows) < 2 {
		ts.Fatalf("%s: found %d rows, expected a header and more (%v)", file, len(rows), err)
	}
	for i := len(rows[0]) - 1; i >= 0; i-- {
		if slices.Contains(strings.Split(without, ","), rows[0][i]) {
			for j := range rows {
				rows[j] = slices.Delete(rows[j], i, i+1)
			}
		}
	}
	return rows
}

func empty(ts *testscript.TestScript, args []string) {
	if s := ts.ReadFile(args[0]); s != "" {
		ts.Fatalf("%s: found %q, expected nothing", args[0], s)
	}
}

func gzipFile(ts *testscript.TestScript, args []string) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	ts.Check(w.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[0]+".gz"), b.Bytes(), 0o666))
}

// writeBytes makes what a script cannot hold: control characters, bytes that are no UTF-8.
func writeBytes(ts *testscript.TestScript, args []string) {
	s, err := strconv.Unquote(fmt.Sprintf(`"%s"`, args[1]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(s), 0o666))
}

func writeParquet(ts *testscript.TestScript, args []string) {
	s, err := store.Open(context.Background(), store.Options{Threads: 1})
	ts.Check(err)
	defer s.Close()
	ts.Check(s.Exec(context.Background(), "COPY (SELECT "+args[2]+" FROM read_csv("+store.Literal(ts.MkAbs(args[1]))+
		", all_varchar = true)) TO "+store.Literal(ts.MkAbs(args[0]))+" (FORMAT parquet)"))
}
