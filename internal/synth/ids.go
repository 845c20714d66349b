package synth

import (
	"encoding/hex"
	"strconv"
)

// requestID draws an id in the style of the world.
func (s *sim) requestID() string {
	switch s.IDs {
	case Hex16:
		return s.hexID("", 8)
	case Decimal20:
		return strconv.FormatUint(1e19+s.rng.Uint64N(8e18), 10)
	}
	return s.hexID("", 16)
}

// hexID draws so many random bytes and prints them in hex behind a prefix.
func (s *sim) hexID(prefix string, bytes int) string {
	var raw [16]byte
	for i := 0; i < bytes; i += 8 {
		word := s.rng.Uint64()
		for j := range 8 {
			raw[i+j] = byte(word >> (8 * j))
		}
	}
	var text [40]byte
	n := copy(text[:], prefix)
	return string(hex.AppendEncode(text[:n], raw[:bytes]))
}

func (s *sim) receipt() string  { return s.hexID("req_", 8) }
func (s *sim) chargeID() string { return s.hexID("ch_", 8) }
