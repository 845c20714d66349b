package report

import (
	"fmt"
	"strings"
)

// Note adds to Notes what must be known before an explanation is read: an id that is reused,
// one that is of several kinds, a receipt under several ids.
func (x *Explanation) Note() {
	if x.Asked != x.ID {
		x.note("%q is the beginning of this id alone", brief(x.Asked))
	}
	ids := map[Text]bool{}
	ways := map[string][]string{}
	for _, c := range x.Calls {
		ids[c.RequestID] = true
		for _, way := range c.NamedAs {
			ways[way] = append(ways[way], fmt.Sprint(c.Number))
		}
	}
	if len(x.As) > 1 && x.Named > 1 {
		var parts []string
		for _, way := range x.As {
			if len(ways[way]) > 0 {
				parts = append(parts, fmt.Sprintf("the %s of %s", kindOf(way), callsText(ways[way])))
			}
		}
		if len(parts) > 1 {
			x.note("this id is %s: all of them are told", strings.Join(parts, " and "))
		}
	}
	if len(x.As) == 1 && x.As[0] == "receipt" && len(ids) > 1 {
		x.note("this receipt stands under %d request ids: a cached answer; the first to have got it owes the charge, the others none", len(ids))
	}
	if x.Named > 1 && len(x.As) == 1 && x.As[0] == "request" {
		x.note("THIS REQUEST ID IS REUSED: it stands for %d calls, and each is judged by itself; that several of them were delivered is no duplication", x.Named)
	}
	switch told := int64(len(x.Calls)); {
	case told == 1 && x.Named > 1:
		x.note("call %d of %d is told; --all tells all", x.Calls[0].Number, x.Named)
	case told < x.Named:
		x.note("%d of %d calls are told, those with most money at stake; --all tells all, --call N one", told, x.Named)
	}
}

func (x *Explanation) note(format string, args ...any) {
	x.Notes = append(x.Notes, fmt.Sprintf(format, args...))
}

func kindOf(way string) string {
	return map[string]string{"request": "request id", "charge": "charge id", "receipt": "receipt"}[way]
}

func callsText(numbers []string) string {
	if len(numbers) == 1 {
		return "call " + numbers[0]
	}
	if len(numbers) > 6 {
		numbers = append(append([]string{}, numbers[:5]...), "…")
	}
	return "calls " + strings.Join(numbers, ", ")
}
