package synth

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// truth is one line of the labels.
type truth struct {
	verdict, recovery string
	amount, excess    Money
	settled, judged   bool
}

// truths finds labels by file and line. There are millions of them, so that a line costs
// a small number and not the entry of a map.
type truths struct {
	list   []truth
	places map[string][]int32 // by file: the label of each line, from 1; 0: there is none
	words  map[string]string
}

func readTruths(labels io.Reader) (*truths, error) {
	t := &truths{places: map[string][]int32{}, words: map[string]string{}}
	columns := []string{"source_file", "source_line", "again_file", "again_line", "amount", "verdict", "recovery", "excess", "settled"}
	err := readTable(labels, columns, 5, func(row []string) (err error) {
		line := truth{verdict: t.word(row[5]), recovery: t.word(row[6])}
		if line.amount, err = readMoney(row[4]); err != nil {
			return err
		}
		if line.excess, err = readMoney(row[7]); err != nil {
			return err
		}
		if line.settled, err = readFlag(row[8]); err != nil {
			return err
		}
		t.list = append(t.list, line)
		if err := t.put(row[0], row[1]); err != nil || row[2] == "" {
			return err
		}
		return t.put(row[2], row[3])
	})
	return t, err
}

// word keeps one copy of a word that comes again and again.
func (t *truths) word(text string) string {
	if kept, ok := t.words[text]; ok {
		return kept
	}
	kept := strings.Clone(text)
	t.words[kept] = kept
	return kept
}

// put places the latest label.
func (t *truths) put(file, line string) error {
	n, err := lineNumber(line)
	if err != nil {
		return err
	}
	file = t.word(baseName(file))
	of := t.places[file]
	for len(of) <= n {
		of = append(of, 0)
	}
	of[n] = int32(len(t.list))
	t.places[file] = of
	return nil
}

// take is the label of a verdict's line, which must be there and have no verdict yet. Labels
// of a single file need not name it.
func (t *truths) take(file, line string) (*truth, error) {
	n, err := lineNumber(line)
	if err != nil {
		return nil, err
	}
	of, named := t.places[baseName(file)]
	if !named {
		of = t.places[""]
	}
	if n >= len(of) || of[n] == 0 || t.list[of[n]-1].judged {
		return nil, errorf("source_line %s of %q has no label, or two verdicts", line, file)
	}
	found := &t.list[of[n]-1]
	found.judged = true
	return found, nil
}

func lineNumber(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > 1<<30 {
		return 0, errorf("source_line is %q", text)
	}
	return n, nil
}

// baseName is the last part of a path, with the separators of any system.
func baseName(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }

func readFlag(text string) (bool, error) {
	flag, err := strconv.ParseBool(text)
	if err != nil {
		return false, errorf("settled is %q", text)
	}
	return flag, nil
}

// readMoney reads an amount exactly; empty means none.
func readMoney(text string) (Money, error) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	if text == "" {
		return 0, nil
	}
	if len(fraction) > moneyDigits {
		return 0, errorf("%q is no amount of at most %d decimals", text, moneyDigits)
	}
	n, err := strconv.ParseUint(whole+fraction+strings.Repeat("0", moneyDigits-len(fraction)), 10, 63)
	if err != nil {
		return 0, errorf("%q is no amount", text)
	}
	if negative {
		return -Money(n), nil
	}
	return Money(n), nil
}

// readTable hands the named columns of each CSV row to a function, in the order
// named. The first ones named may be absent, and are empty then; the others must be there,
// but for match. The row is reused.
func readTable(in io.Reader, columns []string, optional int, each func([]string) error) error {
	reader := csv.NewReader(in)
	reader.ReuseRecord = true
	header, err := reader.Read()
	if err != nil {
		return fmt.Errorf("%w: header: %w", ErrScore, err)
	}
	at := make([]int, len(columns))
	for i, name := range columns {
		at[i] = slices.Index(header, name)
		if needed := i >= optional && name != "match" || name == "source_line"; needed && at[i] < 0 {
			return errorf("no column %s", name)
		}
	}
	row := make([]string, len(columns))
	for {
		record, err := reader.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%w: %w", ErrScore, err)
		}
		for i, column := range at {
			if row[i] = ""; column >= 0 {
				row[i] = record[column]
			}
		}
		if err := each(row); err != nil {
			return err
		}
	}
}
