package cms

import (
	"strconv"
	"strings"
)

// ShortList names the first five of a list and says how many more there are.
func ShortList(names []string) string {
	const few = 5
	if len(names) <= few {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:few], ", ") + " and " + strconv.Itoa(len(names)-few) + " more"
}
