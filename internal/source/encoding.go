package source

import (
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// encodingBytes is how much of a file tells its encoding.
const encodingBytes = 256 << 10

// utf8Mark is the byte order mark of UTF-8.
var utf8Mark = []byte{0xef, 0xbb, 0xbf}

// toUTF8 makes text of bytes by what their beginning tells: it drops a byte order mark,
// transcodes UTF-16 with or without one, and GB18030 (with GBK and GB2312 in it), which has
// none. The name is "" for UTF-8.
func toUTF8(head []byte, r io.Reader) (text io.Reader, name string) {
	wide := func(e unicode.Endianness, bom unicode.BOMPolicy) (io.Reader, string) {
		return transcode(r, unicode.UTF16(e, bom)), "UTF-16"
	}
	switch {
	case bytes.HasPrefix(head, utf8Mark):
		io.CopyN(io.Discard, r, int64(len(utf8Mark))) // an error comes back at the next read
		return r, ""
	case len(head) < 4:
		return r, ""
	case head[0] == 0xff && head[1] == 0xfe:
		return wide(unicode.LittleEndian, unicode.UseBOM)
	case head[0] == 0xfe && head[1] == 0xff:
		return wide(unicode.BigEndian, unicode.UseBOM)
	case head[0] != 0 && head[1] == 0 && head[2] != 0 && head[3] == 0:
		return wide(unicode.LittleEndian, unicode.IgnoreBOM)
	case head[0] == 0 && head[1] != 0 && head[2] == 0 && head[3] != 0:
		return wide(unicode.BigEndian, unicode.IgnoreBOM)
	case looksChinese(head):
		return transcode(r, simplifiedchinese.GB18030), "GB18030"
	}
	return r, ""
}

func transcode(r io.Reader, e encoding.Encoding) io.Reader {
	return transform.NewReader(r, transform.Chain(e.NewDecoder(), strict{}))
}

// strict turns the replacement character, by which a decoder says that bytes were no text,
// into a byte that is no UTF-8: such a value is a reject, and no id with a hole in it.
type strict struct{ transform.NopResetter }

// Transform implements transform.Transformer.
func (strict) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	for nSrc < len(src) {
		c := src[nSrc]
		switch {
		case nDst == len(dst):
			return nDst, nSrc, transform.ErrShortDst
		case c != 0xef:
			dst[nDst] = c
			nSrc++
		case len(src)-nSrc < 3 && !atEOF:
			return nDst, nSrc, transform.ErrShortSrc
		case len(src)-nSrc >= 3 && src[nSrc+1] == 0xbf && src[nSrc+2] == 0xbd:
			dst[nDst] = 0xff
			nSrc += 3
		default:
			dst[nDst] = c
			nSrc++
		}
		nDst++
	}
	return nDst, nSrc, nil
}

// looksChinese tells GB18030 from UTF-8 and from the encodings of Western Europe, by the
// beginning of a text: every byte beyond ASCII belongs to a sequence of GB18030, three in
// four are of the common characters, which are pairs of two high bytes, and hardly any
// would be UTF-8. Other encodings of East Asia cannot be told from it.
func looksChinese(b []byte) bool {
	if utf8.Valid(b) || utf8.Valid(b[:len(b)-min(len(b), 3)]) {
		return false
	}
	pairs, common := 0, 0
	for i := 0; i < len(b); {
		c := b[i]
		switch {
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\x1b':
			return false
		case c < 0x80:
			i++
			continue
		case c == 0x80 || c == 0xff:
			return false
		case i+1 == len(b):
			i = len(b)
			continue
		}
		d := b[i+1]
		switch {
		case d >= '0' && d <= '9':
			if i+3 < len(b) && (b[i+2] < 0x81 || b[i+2] == 0xff || b[i+3] < '0' || b[i+3] > '9') {
				return false
			}
			i += 4
		case d < 0x40 || d == 0x7f || d == 0xff:
			return false
		default:
			i += 2
			pairs++
			if d >= 0xa1 && (c <= 0xa9 && c >= 0xa1 || c >= 0xb0 && c <= 0xf7) {
				common++
			}
		}
	}
	return pairs >= 2 && 4*common >= 3*pairs && mostlyInvalid(b)
}

// mostlyInvalid tells text that has more bytes which are no UTF-8 than characters beyond
// ASCII that are.
func mostlyInvalid(b []byte) bool {
	valid, invalid := 0, 0
	for i := 0; i < len(b); {
		if b[i] < 0x80 {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			invalid++
		} else {
			valid++
		}
		i += n
	}
	return invalid > valid
}
