package index

import "context"

// jumps reports whether the list can start close to its page: it must be in the default order and
// unfiltered.
func (l *lister) jumps() bool {
	return l.c.Starts != nil && len(l.q.Sort) == 0 && len(l.q.Filters) == 0 && l.after == "" &&
		l.q.Offset() > l.c.Far
}

// jump makes the streams begin shortly before the page, and stores in passed how many records that
// skips.
func (l *lister) jump(ctx context.Context, m *merged) error {
	from, passed, err := l.c.Starts(ctx, l.spaces, l.q.Offset())
	if err != nil {
		return err
	}
	l.passed = passed
	for _, s := range m.streams {
		s.from = from[s.space]
		s.chunk = min(l.q.Offset()-l.passed+l.q.PerPage+1, maxChunk)
	}
	return nil
}
