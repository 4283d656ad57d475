package transfer

// Entries that are read together: at first few, since they may have a megabyte each.
const (
	firstPage = 4
	largest   = 500
)

// NextPage returns how many entries to read together after a number of them had some bytes: as many as fit into room
// bytes if they are like those, at least one and at most 500.
func NextPage(read, bytes, room int) int {
	if read == 0 {
		return firstPage
	}
	return max(1, min(room*read/max(bytes, 1), 2*read, largest))
}
