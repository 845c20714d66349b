package synth

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"
)

func readTruths(labels io.Reader) (map[string]*truth, error) {
	truths := map[string]*truth{}
	columns := []string{"source_line", "verdict", "recovery", "excess", "settled"}
	err := readTable(labels, columns, func(row []string) error {
		excess, settled, err := parseMoneyAndFlag(row[3], row[4])
		if err != nil {
			return err
		}
		truths[row[0]] = &truth{verdict: row[1], recovery: row[2], excess: excess, settled: settled}
		return nil
	})
	return truths, err
}

// parseMoneyAndFlag reads an excess, where empty means none, and a settled flag.
func parseMoneyAndFlag(money, flag string) (decimal.Decimal, bool, error) {
	settled, err := strconv.ParseBool(flag)
	if err != nil {
		return decimal.Zero, false, fmt.Errorf("%w: settled is %q", ErrScore, flag)
	}
	if money == "" {
		return decimal.Zero, settled, nil
	}
	amount, err := decimal.NewFromString(money)
	if err != nil {
		return decimal.Zero, false, fmt.Errorf("%w: excess is %q", ErrScore, money)
	}
	return amount, settled, nil
}

// readTable hands the named columns of each CSV row to a function, in the order
// named. The row is reused.
func readTable(in io.Reader, columns []string, each func([]string) error) error {
	reader := csv.NewReader(in)
	reader.ReuseRecord = true
	header, err := reader.Read()
	if err != nil {
		return fmt.Errorf("%w: header: %w", ErrScore, err)
	}
	at := make([]int, len(columns))
	for i, name := range columns {
		if at[i] = slices.Index(header, name); at[i] < 0 {
			return fmt.Errorf("%w: no column %s", ErrScore, name)
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
		for i := range row {
			row[i] = record[at[i]]
		}
		if err := each(row); err != nil {
			return err
		}
	}
}
