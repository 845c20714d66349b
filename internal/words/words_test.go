package words

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// said are the sentences that the code says: literals that are given to t or T, in Go and in the page.
func said(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, dir := range []string{"..", "../../cmd"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
				return err
			}
			switch filepath.Ext(path) {
			case ".go":
				return saidInGo(path, out)
			case ".html":
				return saidInPage(path, out)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(out) < 100 {
		t.Fatalf("found %d sentences, expected those of workbook, page, letter and summary", len(out))
	}
	return out
}

func saidInGo(path string, out map[string]string) error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, 0)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		name := ""
		switch f := call.Fun.(type) {
		case *ast.Ident:
			name = f.Name
		case *ast.SelectorExpr:
			name = f.Sel.Name
		}
		lit, ok := call.Args[0].(*ast.BasicLit)
		if (name == "t" || name == "T") && ok && lit.Kind == token.STRING {
			text, _ := strconv.Unquote(lit.Value)
			out[text] = fset.Position(lit.Pos()).String()
		}
		if name == "tn" && len(call.Args) > 2 { // for one of something, and for more
			for _, arg := range call.Args[1:3] {
				if lit, ok := arg.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					text, _ := strconv.Unquote(lit.Value)
					out[text] = fset.Position(lit.Pos()).String()
				}
			}
		}
		return true
	})
	return nil
}

func saidInPage(path string, out map[string]string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for _, f := range regexp.MustCompile(`\bt "((?:[^"\\]|\\.)*)"`).FindAllStringSubmatch(string(text), -1) {
		s, _ := strconv.Unquote(`"` + f[1] + `"`)
		out[s] = path
	}
	return nil
}

// TestNoSentenceIsMissing: what the code says in English, the catalogue has in Chinese. With RETRYTAX_KEEP=DIR the missing
// ones are written to a file there, to be translated.
func TestNoSentenceIsMissing(t *testing.T) {
	var missing []string
	for english, where := range said(t) {
		if _, ok := Sentences()[english]; !ok && strings.TrimSpace(english) != "" {
			t.Errorf("%s: zh.yaml lacks %q", where, english)
			missing = append(missing, english)
		}
	}
	if dir := os.Getenv("RETRYTAX_KEEP"); dir != "" {
		sort.Strings(missing)
		var text strings.Builder
		for _, m := range missing {
			fmt.Fprintf(&text, "%s\n", strconv.Quote(m))
		}
		if err := os.WriteFile(filepath.Join(dir, "missing.txt"), []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNoSentenceIsUnused: each key of the catalogue stands somewhere in the code, word for word.
func TestNoSentenceIsUnused(t *testing.T) {
	var all strings.Builder
	for _, dir := range []string{"..", "../../cmd", "../../queries"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !slices.Contains([]string{".go", ".html", ".sql"}, filepath.Ext(path)) {
				return err
			}
			text, err := os.ReadFile(path)
			all.Write(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	code := all.String()
	for english := range Sentences() {
		quoted := strconv.Quote(english)
		if !strings.Contains(code, quoted) && !strings.Contains(code, quoted[1:]) && !strings.Contains(code, english) {
			t.Errorf("nothing says %q", english)
		}
	}
}

var verb = regexp.MustCompile(`%(\[\d\])?[-+#0-9.]*[a-zA-Z%]`)

// TestVerbsAreTheSame: a translation takes what its sentence takes.
func TestVerbsAreTheSame(t *testing.T) {
	for english, chinese := range Sentences() {
		count := func(s string) int {
			n := 0
			for _, v := range verb.FindAllString(s, -1) {
				if v != "%%" {
					n++
				}
			}
			return n
		}
		if strings.Contains(english, "%s") || strings.Contains(english, "%d") {
			if count(english) != count(chinese) {
				t.Errorf("%q takes %d values, %q takes %d", english, count(english), chinese, count(chinese))
			}
		}
		if strings.TrimSpace(chinese) == "" && english != "" {
			t.Errorf("%q has no Chinese", english)
		}
	}
}

// TestEveryCheckHasItsWords: the sheet Method names the checks, in the language of the report.
func TestEveryCheckHasItsWords(t *testing.T) {
	files, err := filepath.Glob("../../queries/90_checks/*.sql")
	if err != nil || len(files) < 30 {
		t.Fatalf("found %d checks, %v", len(files), err)
	}
	for _, file := range files {
		_, name, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".sql"), "_")
		if name = strings.ReplaceAll(name, "_", " "); Chinese.Of(name) == name {
			t.Errorf("zh.yaml lacks the check %q", name)
		}
	}
}

// TestInvoiceIsInChinese: what the audit of an invoice and the state of a database compose is said in Chinese.
func TestInvoiceIsInChinese(t *testing.T) {
	for _, text := range []string{
		"a.csv:4: amount: found \"x\", expected an amount: this line of the invoice is in no sum",
		"1 more line of the invoice could not be read; --out DIR writes them to rejects.csv",
		"12 more lines of the invoice could not be read; --out DIR writes them to rejects.csv",
		"a.csv: no column tells a period: 1 line was taken for 2026-10",
		"a.csv: no column tells a period: 2 lines were taken for 2026-10. Not read: Service Date; if one of them is the period, --map 'period_start=NAME' reads it",
		"lines of the invoice that were left out for those of a file that reaches further: a.csv:2 (1) → b.csv:2 (2)",
		"and 3 more lines",
		"lines of the log that could not be read and are in no count: 2",
		"charge lines that could not be read and are in no sum: 2",
		"providers.acme.idempotency not set, it was honoured (user)",
	} {
		if got := Chinese.Of(text); got == text || strings.Contains(got, "line") || strings.Contains(got, "{") || strings.Contains(got, "not set") {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// composers are functions that put texts together without T, and the catalogue says whole; what they say is in the file.
var composers = map[string][]string{
	"../pipeline/invoice_judge.go": {"rules", "warn"},
	"../pipeline/invoice_lines.go": {"unread", "undated", "replaced"},
	"../report/invoice_bill.go":    {"diagnose", "measure", "estimate"},
}

// TestNoComposedTextIsMissing: each piece of a sentence that these functions put together is a piece of one in the catalogue.
func TestNoComposedTextIsMissing(t *testing.T) {
	var keys strings.Builder
	for _, list := range []map[string]string{Sentences(), Composed()} {
		for english := range list {
			keys.WriteString(strings.ReplaceAll(english, "(s)", "s") + "\n")
		}
	}
	for path, functions := range composers {
		found := 0
		for text, where := range composedIn(t, path, functions) {
			for _, piece := range verb.Split(text, -1) {
				piece = strings.TrimSpace(piece)
				if found++; strings.Count(piece, " ") >= 3 && !strings.Contains(keys.String(), piece) {
					t.Errorf("%s: zh.yaml lacks a sentence with %q", where, piece)
				}
			}
		}
		if found < 5 {
			t.Errorf("%s: found %d pieces of sentences in %s", path, found, strings.Join(functions, ", "))
		}
	}
}

// composedIn are the literals in the functions of a file, without queries and what errors say.
func composedIn(t *testing.T, path string, functions []string) map[string]string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !slices.Contains(functions, f.Name.Name) {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				if sel, ok := n.Type.(*ast.SelectorExpr); ok && sel.Sel.Name == "Error" {
					return false
				}
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && !sqlWords.MatchString(text) {
					out[text] = fset.Position(n.Pos()).String()
				}
			}
			return true
		})
	}
	return out
}

var sqlWords = regexp.MustCompile(`SELECT |FROM |ORDER BY | AND \(|INTERVAL `)

func TestComposedTexts(t *testing.T) {
	const text = `3 of 900 rows could not be read; totals are "at least" (rejects.csv)`
	if got := Chinese.Of(text); got == text || !strings.Contains(got, "900") || !strings.Contains(got, "3") {
		t.Errorf("%q", got)
	}
	for english, want := range map[string]string{
		"stamps of acme: at the end of the execution, 933ms early, resolution 1s, from 878 pairs": "acme 的时间戳：位于执行结束，早 933ms，分辨率 1s，测量 878 对",
		"stamps of acme: at the start of the execution, clocks agree, from 40 pairs":              "acme 的时间戳：位于执行开始，时钟一致，测量 40 对",
		"The bill, USD, 2026-10-03, UTC · at least: an amount is unknown or a row was rejected":   "账单，USD, 2026-10-03, UTC · 至少：有金额未知，或有行被拒收",
		"The bill, USD, 2026-10-03, UTC": "账单，USD, 2026-10-03, UTC",
	} {
		if got := Chinese.Of(english); got != want {
			t.Errorf("%q is %q, expected %q", english, got, want)
		}
	}
	for _, s := range []string{"", "of the data: {} %s {1}", "\x00"} {
		if got := Chinese.Of(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
	if English.T("100 %") != "100 %" || Lang("").T("%d rows", 3) != "3 rows" {
		t.Error("English is not as it stands")
	}
}
