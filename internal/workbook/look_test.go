package workbook

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// TestOpensInAnotherSpreadsheet converts the workbook with LibreOffice: a file that only its
// own library can read is no workbook. With RETRYTAX_KEEP=DIR the files stay there to be
// looked at.
func TestOpensInAnotherSpreadsheet(t *testing.T) {
	soffice, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("needs soffice (LibreOffice), which is not installed")
	}
	if testing.Short() {
		t.Skip("starts soffice, which takes seconds; not in -short")
	}
	dir := os.Getenv("RETRYTAX_KEEP")
	if dir == "" {
		dir = t.TempDir()
	}
	file := filepath.Join(dir, "report.xlsx")
	if err := os.WriteFile(file, written(t, october(t), nil), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	convert := exec.CommandContext(ctx, soffice, "--headless", "-env:UserInstallation=file://"+t.TempDir(),
		"--convert-to", "pdf", "--outdir", dir, file)
	if out, err := convert.CombinedOutput(); err != nil {
		t.Fatalf("soffice: %v\n%s", err, out)
	}
	if _, err := os.Stat(filepath.Join(dir, "report.pdf")); err != nil {
		t.Errorf("soffice made no PDF: %v", err)
	}
}
