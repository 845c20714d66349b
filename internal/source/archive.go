package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// Expansion says how what a container holds is to be read.
type Expansion struct {
	Role Role   // forced by the user, or ""
	Maps []*Map // the user's mappings
	// Members keeps only what is named so; nil keeps all. A pattern is one of path.Match,
	// against the member's name or its last part.
	Members []string
}

// Expand is what an input holds: the members of a zip archive, the sheets of an Excel
// workbook, or else the input itself. Each is an input of its own, named behind its
// container (bills.zip/a.csv, bill.xlsx/Sheet1). The notes say what was left out. The errors
// are *Error. The inputs that it returns own in: to close them closes it.
//
// A member is never written anywhere under its own name.
func Expand(in *Input, o Expansion) (inputs []*Input, notes []string, err error) {
	packed, err := in.isZip()
	if err != nil {
		return nil, nil, err
	}
	if !packed || in.at == nil {
		if len(o.Members) > 0 {
			return nil, nil, notWithin(in.Name, o.Members[0], "neither a zip archive nor a workbook")
		}
		return []*Input{in}, nil, nil
	}
	a, err := openArchive(in)
	if err != nil {
		return nil, nil, err
	}
	if a.isWorkbook() {
		inputs, notes, err = a.sheets(o)
	} else {
		inputs, notes, err = a.members(o)
	}
	if err != nil {
		for _, m := range inputs {
			err = errors.Join(err, m.Close())
		}
		return nil, nil, errors.Join(err, a.close())
	}
	inputs[0].closeAlso(a.close)
	inputs[0].closeAlso(in.Close)
	return inputs, notes, nil
}

// SplitMember takes a name such as bills.zip/a.csv apart, where bills.zip is a file; file is
// "" where the name is a file's or leads nowhere.
func SplitMember(name string) (file, member string) {
	if _, err := os.Stat(name); err == nil {
		return "", ""
	}
	for at := len(name); ; {
		if at = strings.LastIndexByte(name[:at], '/'); at <= 0 {
			return "", ""
		}
		if info, err := os.Stat(name[:at]); err == nil {
			if info.Mode().IsRegular() && name[at+1:] != "" {
				return name[:at], name[at+1:]
			}
			return "", ""
		}
	}
}

// isZip tells an archive by its first bytes.
func (in *Input) isZip() (bool, error) {
	f, err := in.open()
	if err != nil {
		return false, err
	}
	defer f.Close()
	head := make([]byte, 4)
	if _, err := io.ReadFull(f, head); err != nil {
		return false, nil // too short; who reads it says what is wrong
	}
	return isZipMagic(head), nil
}

func isZipMagic(b []byte) bool {
	return bytes.HasPrefix(b, []byte("PK\x03\x04")) || bytes.HasPrefix(b, []byte("PK\x05\x06"))
}

const (
	mostMembers = 10_000
	mostBytes   = int64(100) << 30 // unpacked, all members of an archive together
)

// archive is an opened zip archive.
type archive struct {
	in    *Input
	name  string
	size  int64
	zip   *zip.Reader
	close func() error
	check func() error // nil error while nothing has changed it
}

// openArchive reads the directory, and refuses what no honest archive has.
func openArchive(in *Input) (*archive, error) {
	r, size, done, err := in.at()
	if err != nil {
		return nil, err
	}
	a := &archive{in: in, name: in.Name, size: size, close: done, check: func() error { return nil }}
	if w, ok := r.(*watchedReader); ok {
		a.check = func() error { return w.watched.check(w.File) }
	}
	a.zip, err = zip.NewReader(r, size)
	if err == nil || errors.Is(err, zip.ErrInsecurePath) {
		err = a.inspect()
	} else {
		err = a.broken(err)
	}
	if err != nil {
		return nil, errors.Join(err, done())
	}
	a.zip.RegisterDecompressor(zip.Deflate, flate.NewReader)
	a.zip.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor(zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderConcurrency(1)))
	return a, nil
}

func (a *archive) broken(err error) *Error {
	return &Error{File: a.name, Found: "broken zip data (" + strings.TrimPrefix(err.Error(), "zip: ") + ")", Expected: "a whole zip archive",
		Kind: ErrCorrupt, Cause: err, Hint: "copy the file again: it is cut short or damaged"}
}

// inspect looks at what the directory says of the members before any of them is unpacked.
func (a *archive) inspect() error {
	refuse := func(found, expected, hint string) error {
		return &Error{File: a.name, Found: found, Expected: expected, Kind: ErrCorrupt, Hint: hint}
	}
	if n := len(a.zip.File); n > mostMembers {
		return refuse(fmt.Sprintf("an archive of %d files", n), fmt.Sprintf("at most %d", mostMembers), "unpack it yourself, and name what comes out")
	}
	var packed, unpacked uint64
	for _, f := range a.zip.File {
		name := memberName(f)
		if leadsOut(name) {
			return refuse(fmt.Sprintf("a member named %q, which leads out of the archive", name), "names below it",
				"unpack it yourself where it can do no harm, and name what comes out")
		}
		packed += min(f.CompressedSize64, 1<<50)
		unpacked += min(f.UncompressedSize64, 1<<50)
	}
	const look = "unpack it yourself, look at it with head, and name the unpacked file if it is a log or a bill"
	switch {
	case packed > uint64(a.size):
		return refuse("members that overlap each other", "each in a place of its own", look)
	case unpacked > uint64(bombBytes) && unpacked > bombRatio*packed:
		return refuse(fmt.Sprintf("more than %d MB packed into %d KB", unpacked>>20, packed>>10+1), fmt.Sprintf("at most %d times the packed size", bombRatio), look)
	case unpacked > uint64(mostBytes):
		return refuse(fmt.Sprintf("%d GB of unpacked data", unpacked>>30), fmt.Sprintf("at most %d GB in one archive", mostBytes>>30), "unpack it yourself, and name what comes out")
	}
	return nil
}

// memberName is a member's name as text. Archives made on a Chinese Windows have it in GBK.
func memberName(f *zip.File) string {
	name := f.Name
	if !utf8.ValidString(name) {
		if s, err := simplifiedchinese.GB18030.NewDecoder().String(name); err == nil && looksChinese([]byte(name)) {
			name = s
		}
	}
	return shown(strings.ReplaceAll(name, `\`, "/"))
}

// leadsOut tells a name that leads out of the archive.
func leadsOut(name string) bool {
	if strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':' || strings.ContainsRune(name, 0) {
		return true
	}
	for _, part := range strings.Split(name, "/") {
		if part == ".." {
			return true
		}
	}
	return false
}

// leftBehind tells what systems put into archives beside the files that were meant.
func leftBehind(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(name, "__MACOSX/") || strings.HasPrefix(base, "._") || base == ".DS_Store" || base == "Thumbs.db" || base == "desktop.ini"
}

// members are the files of an archive. A workbook among them becomes its sheets.
func (a *archive) members(o Expansion) (inputs []*Input, notes []string, err error) {
	if k := a.kind(); k != "" {
		return nil, nil, &Error{File: a.name, Found: k, Expected: "a zip archive of logs and bills, or an .xlsx workbook", Kind: ErrUnrecognised,
			Hint: "save it as .xlsx or CSV"}
	}
	skipped, all := 0, []string{}
	for _, f := range a.zip.File {
		name := memberName(f)
		if strings.HasSuffix(name, "/") {
			continue
		}
		if leftBehind(name) {
			skipped++
			continue
		}
		all = append(all, name)
		if !wanted(name, o.Members) {
			continue
		}
		m, err := a.member(f, name)
		if err != nil {
			return inputs, nil, err
		}
		more, n, err := m.nested(o)
		notes = append(notes, n...)
		if err != nil {
			return inputs, nil, errors.Join(err, m.Close())
		}
		inputs = append(inputs, more...)
	}
	if skipped > 0 {
		notes = append(notes, fmt.Sprintf("%s: %s of a file manager left out (.DS_Store, __MACOSX and the like)", a.name, Counted(int64(skipped), "file", "files")))
	}
	switch {
	case len(inputs) > 0:
		return inputs, notes, nil
	case len(o.Members) > 0:
		return nil, nil, notWithin(a.name, o.Members[0], "the members "+some(all, 20))
	}
	return nil, nil, &Error{File: a.name, Found: "an archive without files", Expected: "logs or bills in it", Kind: ErrEmpty, Hint: "export it again, or leave it out"}
}

// Counted is "1 file" or "2 files".
func Counted(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// notWithin says that a container has no such member.
func notWithin(name, member, has string) *Error {
	return &Error{File: name + "/" + shown(member), Found: "no such file: " + name + " has " + has, Expected: "a file in an archive, or a sheet of a workbook",
		Kind: ErrNotExist, Hint: "name " + name + " alone to read all of it"}
}

// wanted tells whether a member is among those that the user named.
func wanted(name string, members []string) bool {
	for _, m := range members {
		for _, n := range []string{name, path.Base(name)} {
			if ok, err := path.Match(m, n); n == m || err == nil && ok {
				return true
			}
		}
	}
	return members == nil
}

// kind names a document that is a zip archive inside, but no archive of files.
func (a *archive) kind() string {
	for _, f := range a.zip.File {
		switch {
		case f.Name == "xl/workbook.bin":
			return "an Excel workbook in the binary form (.xlsb)"
		case f.Name == "word/document.xml":
			return "a Word document"
		case f.Name == "ppt/presentation.xml":
			return "a presentation"
		case f.Name == "content.xml" && a.zip.File[0].Name == "mimetype":
			return "an OpenDocument file"
		}
	}
	return ""
}

// member is one file of the archive as an input.
func (a *archive) member(f *zip.File, name string) (*Input, error) {
	shownName := a.name + "/" + name
	if f.Flags&1 != 0 {
		return nil, &Error{File: shownName, Found: "an encrypted file", Expected: "one without a password", Kind: ErrUnreadable,
			Hint: "unpack the archive with its password, and name what comes out"}
	}
	m := &Input{Name: shownName, container: a.in, open: func() (io.ReadCloser, error) { return a.openMember(f, shownName) }}
	if p := a.in.Path(); p != "" {
		m.ident = p + "/" + name
	}
	return m, nil
}

func (a *archive) openMember(f *zip.File, name string) (io.ReadCloser, error) {
	r, err := f.Open()
	switch {
	case errors.Is(err, zip.ErrAlgorithm):
		return nil, &Error{File: name, Found: fmt.Sprintf("compression method %d", f.Method), Expected: "deflate, zstd or none", Kind: ErrCorrupt, Cause: err,
			Hint: "unpack the archive, and name what comes out"}
	case err != nil:
		return nil, a.broken(err)
	}
	return &memberReader{ReadCloser: r, a: a, name: name, packed: int64(f.CompressedSize64)}, nil
}

// memberReader gives errors their meaning, and stops at what is packed too well to be true.
type memberReader struct {
	io.ReadCloser
	a             *archive
	name          string
	packed, bytes int64
}

func (m *memberReader) Read(p []byte) (int, error) {
	n, err := m.ReadCloser.Read(p)
	m.bytes += int64(n)
	if bomb := tooDense(m.name, m.bytes, m.packed); bomb != nil {
		return 0, bomb
	}
	if err == io.EOF {
		if cerr := m.a.check(); cerr != nil {
			return 0, cerr
		}
		return n, io.EOF
	}
	if err != nil {
		if cerr := m.a.check(); cerr != nil {
			return 0, cerr
		}
		e := m.a.broken(err)
		e.File = m.name
		return 0, e
	}
	return n, nil
}

// nested is a member, or the sheets of one that is a workbook. A zip within a zip is refused:
// who packs twice rarely means to be read by a program.
func (in *Input) nested(o Expansion) ([]*Input, []string, error) {
	packed, err := in.isZip()
	if err != nil || !packed {
		return []*Input{in}, nil, err
	}
	copied, err := in.spooled()
	if err != nil {
		return nil, nil, err
	}
	a, err := openArchive(copied)
	if err == nil && !a.isWorkbook() {
		err = errors.Join(&Error{File: in.Name, Found: "an archive within an archive", Expected: "logs, bills or workbooks", Kind: ErrUnrecognised,
			Hint: "unpack the outer one, and name what comes out"}, a.close())
	}
	if err != nil {
		return nil, nil, errors.Join(err, copied.Close())
	}
	sheets, notes, err := a.sheets(Expansion{Role: o.Role, Maps: o.Maps})
	if err != nil {
		return nil, nil, errors.Join(err, a.close(), copied.Close())
	}
	sheets[0].closeAlso(a.close)
	sheets[0].closeAlso(copied.Close)
	return sheets, notes, nil
}

// spooled copies the content to a temporary file, so that it can be read anywhere in it.
func (in *Input) spooled() (*Input, error) {
	f, err := in.open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c, err := spool(in.Name, f)
	if err != nil {
		return nil, err
	}
	c.container, c.ident = in.container, in.ident
	return c, nil
}
