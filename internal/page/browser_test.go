package page

import (
	"context"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"retrytax/internal/words"
)

// browser opens a page in headless Chromium. asked are the addresses that it wanted besides the page, said
// what it complained of.
type browser struct {
	ctx         context.Context
	asked, said []string
}

func newBrowser(t *testing.T, text string) *browser {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("needs chromium, which is not installed")
	}
	if testing.Short() {
		t.Skip("starts chromium, which takes seconds; not in -short")
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(profile(t)), chromedp.Flag("disable-dev-shm-usage", true), chromedp.WSURLReadTimeout(60*time.Second))
	all, stopAll := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stopAll)
	tab, stopTab := chromedp.NewContext(all)
	t.Cleanup(stopTab)
	ctx, cancel := context.WithTimeout(tab, 2*time.Minute)
	t.Cleanup(cancel)
	b := &browser{ctx: ctx}
	address := (&url.URL{Scheme: "file", Path: file}).String()
	chromedp.ListenTarget(tab, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if e.Request.URL != address {
				b.asked = append(b.asked, e.Request.URL)
			}
		case *runtime.EventExceptionThrown:
			b.said = append(b.said, e.ExceptionDetails.Error())
		case *cdppage.EventJavascriptDialogOpening:
			b.said = append(b.said, "a dialog: "+e.Message)
		}
	})
	if err := chromedp.Run(ctx, network.Enable(), chromedp.Navigate(address), chromedp.WaitReady("footer")); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *browser) do(t *testing.T, actions ...chromedp.Action) {
	t.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// column reads a column of the rows that are shown.
func (b *browser) column(t *testing.T, n string) []string {
	t.Helper()
	var out []string
	b.do(t, chromedp.Evaluate(`Array.from(document.querySelectorAll("#table tbody tr")).filter(r => !r.hidden).map(r => r.cells[`+n+`].textContent)`, &out))
	return out
}

// TestTheBrowserRunsNothingButOurs opens a page full of hostile texts: it asks for nothing, complains of nothing, and
// sorts and searches.
func TestTheBrowserRunsNothingButOurs(t *testing.T) {
	b := newBrowser(t, written(t, october(), words.English))
	var title string
	b.do(t, chromedp.Title(&title))
	if !strings.HasPrefix(title, "Retry audit") {
		t.Errorf("the title became %q", title)
	}
	b.do(t, chromedp.Click(`#table th:nth-child(4) button`))
	if got := b.column(t, "3"); len(got) != len(hostile) || got[0] != "10.00" || got[len(got)-1] != "0.50" {
		t.Errorf("sorted by excess, the dearest first: %q", got)
	}
	b.do(t, chromedp.Click(`#table th:nth-child(4) button`))
	if got := b.column(t, "3"); got[0] != "0.50" || got[len(got)-1] != "10.00" {
		t.Errorf("sorted by excess, the cheapest first: %q", got)
	}
	b.do(t, chromedp.SendKeys("#search", "calc cmd"))
	if got := b.column(t, "1"); len(got) != 1 || !strings.HasPrefix(got[0], "=cmd") {
		t.Errorf("a search for calc cmd shows %q", got)
	}
	var found string
	b.do(t, chromedp.Text("#found", &found))
	if found != "1 of 12" {
		t.Errorf("the search says %q", found)
	}
	if len(b.asked) > 0 || len(b.said) > 0 {
		t.Errorf("asked for %q, complained of %q", b.asked, b.said)
	}
}

// TestThePageFitsEveryWidth: on a phone nothing runs out of the page, but within what scrolls by itself.
func TestThePageFitsEveryWidth(t *testing.T) {
	b := newBrowser(t, written(t, october(), words.Chinese))
	for _, width := range []int64{360, 800, 1400} {
		var over float64
		b.do(t, emulation.SetDeviceMetricsOverride(width, 900, 1, width < 600), chromedp.Evaluate(`document.documentElement.scrollWidth - document.documentElement.clientWidth`, &over))
		if over > 0 {
			t.Errorf("at a width of %d the page is %v wider", width, over)
		}
	}
}

// TestLookAtThePage keeps pictures of a page with RETRYTAX_KEEP=DIR, light, dark and on a phone, and a PDF.
// RETRYTAX_PAGE names another page to look at.
func TestLookAtThePage(t *testing.T) {
	dir := os.Getenv("RETRYTAX_KEEP")
	if dir == "" {
		t.Skip("RETRYTAX_KEEP=DIR keeps pictures of the page there")
	}
	text := written(t, october(), words.English)
	if path := os.Getenv("RETRYTAX_PAGE"); path != "" {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text = string(file)
	}
	b := newBrowser(t, text)
	for name, look := range map[string]struct {
		width  int64
		scheme string
	}{"light": {1100, "light"}, "dark": {1100, "dark"}, "phone": {390, "light"}} {
		var picture []byte
		b.do(t, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: look.scheme}}),
			emulation.SetDeviceMetricsOverride(look.width, 900, 1, look.width < 600), chromedp.FullScreenshot(&picture, 90))
		if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.do(t, emulation.ClearDeviceMetricsOverride(), chromedp.ActionFunc(func(ctx context.Context) error {
		paper, _, err := cdppage.PrintToPDF().WithPrintBackground(true).WithPreferCSSPageSize(true).Do(ctx)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, "paper.pdf"), paper, 0o644)
	}))
}

// profile is a folder for the browser. Its helpers may write there for a moment after it has been told to
// end, so the folder is taken away without a word about what came meanwhile.
func profile(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "retrytax-page-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 20 {
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	return dir
}
