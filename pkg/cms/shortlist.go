package cms

import (
	"strconv"
	"strings"
)

// ShortList returns the first five names of a list, and how many more there are.
func ShortList(names []string) string {
	const few = 5
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:few], ", ") + " and " + strconv.Itoa(len(names)-few) + " more"
}
