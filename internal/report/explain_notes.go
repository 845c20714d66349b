package report

import (
	"fmt"
	"strings"
)

// Note adds to Notes what must be known before an explanation is read: an id that is reused,
// one that is of several kinds, a receipt under several ids.
func (x *Explanation) Note() {
	if x.Asked != x.ID {
		x.note(x.lang.T("%q is the beginning of this id alone", brief(x.Asked)))
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
				parts = append(parts, x.kindOf(way, x.callsText(ways[way])))
			}
		}
		if len(parts) > 1 {
			x.note(x.lang.T("this id is %s: all of them are told", strings.Join(parts, x.lang.T(" and "))))
		}
	}
	if len(x.As) == 1 && x.As[0] == "receipt" && len(ids) > 1 {
		x.note(x.lang.T("this receipt stands under %d request ids: a cached answer; the first to have got it owes the charge, the others none", len(ids)))
	}
	if x.Named > 1 && len(x.As) == 1 && x.As[0] == "request" {
		x.note(x.lang.T("THIS REQUEST ID IS REUSED: it stands for %d calls, and each is judged by itself; that several of them were delivered is no duplication", x.Named))
	}
	switch told := int64(len(x.Calls)); {
	case told == 1 && x.Named > 1:
		x.note(x.lang.T("call %d of %d is told; --all tells all", x.Calls[0].Number, x.Named))
	case told < x.Named:
		x.note(x.lang.T("%d of %d calls are told, those with most money at stake; --all tells all, --call N one", told, x.Named))
	}
}

func (x *Explanation) note(text string) { x.Notes = append(x.Notes, text) }

// kindOf is what an id is of some calls.
func (x *Explanation) kindOf(way, calls string) string {
	switch way {
	case "request":
		return x.lang.T("the request id of %s", calls)
	case "charge":
		return x.lang.T("the charge id of %s", calls)
	}
	return x.lang.T("the receipt of %s", calls)
}

func (x *Explanation) callsText(numbers []string) string {
	if len(numbers) == 1 {
		return x.lang.T("call %s", numbers[0])
	}
	if len(numbers) > 6 {
		numbers = append(append([]string{}, numbers[:5]...), "…")
	}
	return x.lang.T("calls %s", strings.Join(numbers, ", "))
}
