package memory

// delayed is a heap of items, ordered by due time.
type delayed []*item

func (d delayed) Len() int { return len(d) }

func (d delayed) Less(i, j int) bool {
	if !d[i].due.Equal(d[j].due) {
		return d[i].due.Before(d[j].due)
	}
	return d[i].seq < d[j].seq
}

func (d delayed) Swap(i, j int) { d[i], d[j] = d[j], d[i] }

func (d *delayed) Push(x any) { *d = append(*d, x.(*item)) }

func (d *delayed) Pop() any {
	last := len(*d) - 1
	it := (*d)[last]
	(*d)[last] = nil
	*d = (*d)[:last]
	return it
}
