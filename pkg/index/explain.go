package index

// Plan says how a list was found. It helps to tune queries and the indexes of a model.
type Plan struct {
	Way   string  `json:"way"`   // none, walk, collect, count, hits, labels or refused
	Path  *string `json:"path"`  // whose values the rows have that are read; null for the default order
	Rows  int     `json:"rows"`  // rows that the planner expected to read
	Total *int    `json:"total"` // null if no counter has it
}

// explain tells the query's Plan which step is taken. total is -1 if it is not known.
func (l *lister) explain(s step, total int) {
	if l.q.Plan == nil {
		return
	}
	p := Plan{Way: s.way, Rows: s.rows}
	if path := l.pathOf(s); path != "" && path != DefaultPath {
		p.Path = &path
	}
	if total >= 0 {
		p.Total = &total
	}
	*l.q.Plan = p
}

// pathOf returns the path whose rows a step reads, "" if it reads no rows of a path.
func (l *lister) pathOf(s step) string {
	switch {
	case s.equality != nil:
		return s.equality.path
	case s.compared != nil:
		return s.compared.path
	case s.way == planWalk || s.way == planCount:
		return l.sortPath()
	}
	return ""
}
