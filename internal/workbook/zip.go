package workbook

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"

	"github.com/klauspost/compress/flate"
)

// stableZip is the zip writer that excelize is given. excelize hands over the parts of a file
// in an order that changes from run to run, and with the children of [Content_Types].xml in
// the order of a map. stableZip compresses each part as it comes, keeps it, and writes all of
// them sorted by name, with one fixed date, when it is closed.
type stableZip struct {
	to    io.Writer
	parts []*part
}

func newStableZip(to io.Writer) *stableZip { return &stableZip{to: to} }

const contentTypesPart = "[Content_Types].xml"

// dosEpoch is 1980-01-01 as a zip file writes it, the earliest date that it can.
const dosEpoch = 1<<5 | 1

// part is one compressed member of the file.
type part struct {
	name string
	data bytes.Buffer // compressed
	raw  bytes.Buffer // only for parts that are edited on Close
	size uint64       // uncompressed
	sum  hash.Hash32
	pack *flate.Writer
}

// Create begins the part name. It is complete when the zip is closed.
func (z *stableZip) Create(name string) (io.Writer, error) {
	p := &part{name: name, sum: crc32.NewIEEE()}
	z.parts = append(z.parts, p)
	if isEdited(name) {
		return &p.raw, nil
	}
	return p, p.open()
}

// AddFS is part of excelize's interface; writing a workbook does not call it.
func (z *stableZip) AddFS(fs.FS) error { return errors.New("zip: folders are not supported") }

func (p *part) open() (err error) {
	p.pack, err = flate.NewWriter(&p.data, flate.DefaultCompression)
	return err
}

// Write adds to the part.
func (p *part) Write(b []byte) (int, error) {
	p.size += uint64(len(b))
	p.sum.Write(b) // never fails
	return p.pack.Write(b)
}

// Close writes the archive.
func (z *stableZip) Close() error {
	slices.SortFunc(z.parts, func(a, b *part) int { return cmp.Compare(a.name, b.name) })
	out := zip.NewWriter(z.to)
	for _, p := range z.parts {
		if err := p.finish(); err != nil {
			return fmt.Errorf("zip: %s: %w", p.name, err)
		}
		if err := p.writeTo(out); err != nil {
			return fmt.Errorf("zip: %s: %w", p.name, err)
		}
	}
	return out.Close()
}

func (p *part) finish() error {
	if isEdited(p.name) {
		edited, err := edit(p.name, p.raw.Bytes())
		if err != nil {
			return err
		}
		if err := p.open(); err != nil {
			return err
		}
		if _, err := p.Write(edited); err != nil {
			return err
		}
	}
	return p.pack.Close()
}

func (p *part) writeTo(out *zip.Writer) error {
	w, err := out.CreateRaw(&zip.FileHeader{
		Name:               p.name,
		Method:             zip.Deflate,
		ModifiedDate:       dosEpoch, //lint:ignore SA1019 CreateRaw writes the old field as it stands, and Modified only in an extra one
		CRC32:              p.sum.Sum32(),
		CompressedSize64:   uint64(p.data.Len()),
		UncompressedSize64: p.size,
	})
	if err != nil {
		return err
	}
	_, err = p.data.WriteTo(w)
	return err
}

// isEdited names the parts that need a second look: the content types, and the Summary, whose
// chart excelize refers to under a prefix of its own when a sheet is streamed.
func isEdited(name string) bool { return name == contentTypesPart || name == summaryPart }

func edit(name string, data []byte) ([]byte, error) {
	if name == contentTypesPart {
		return sortContentTypes(data)
	}
	const relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	return bytes.ReplaceAll(data, []byte(`xmlns:relationships="`+relationships+`" relationships:`), []byte("r:")), nil
}

// contentTypes is the part that names the type of every other one.
type contentTypes struct {
	XMLName  xml.Name `xml:"http://schemas.openxmlformats.org/package/2006/content-types Types"`
	Default  []partType
	Override []partType
}

type partType struct {
	Extension   string `xml:",attr,omitempty"`
	PartName    string `xml:",attr,omitempty"`
	ContentType string `xml:",attr"`
}

func sortContentTypes(data []byte) ([]byte, error) {
	var types contentTypes
	if err := xml.Unmarshal(data, &types); err != nil {
		return nil, err
	}
	byName := func(a, b partType) int {
		return cmp.Or(cmp.Compare(a.Extension, b.Extension), cmp.Compare(a.PartName, b.PartName))
	}
	slices.SortFunc(types.Default, byName)
	slices.SortFunc(types.Override, byName)
	sorted, err := xml.Marshal(types)
	return append([]byte(xml.Header), sorted...), err
}
