package index

// Plan says how a list was found. It helps to tune queries and the indexes of a model.
type Plan struct {
	Way   string  `json:"way"`   // none, walk, collect, count, hits, labels or refused
	Path  *string `json:"path"`  // whose values the rows have that are read; null for the default order
	Rows  int     `json:"rows"`  // rows that the planner expected to read
	Total *int    `json:"total"` // null if no counter has it
}

// set describes a step. ordered is the path whose rows are in the order of the list; total is -1 if it is not known.
// If nobody asked for the plan, p is nil.
func (p *Plan) set(s step, ordered string, total int) {
	if p == nil {
		return
	}
	*p = Plan{Way: s.way, Rows: s.rows}
	if path := s.path(ordered); path != "" && path != DefaultPath {
		p.Path = &path
	}
	if total >= 0 {
		p.Total = &total
	}
}

// path returns the path whose rows a step reads, "" if it reads no rows of a path.
func (s *step) path(ordered string) string {
	switch {
	case s.equality != nil:
		return s.equality.path
	case s.compared != nil:
		return s.compared.path
	case s.way == planWalk || s.way == planCount:
		return ordered
	}
	return ""
}
