package analysis

// pairs reads a run: successive characters of scripts without spaces. A character includes the
// marks that follow it.
type pairs struct {
	previous, current span
}

// span is a range of the text, in bytes. An end of 0 means empty.
type span struct{ start, end int }

// extend adds the mark at a byte offset to the last character. It reports false if the mark does
// not directly follow that character.
func (t *tokenizer) extend(at, size int) bool {
	if t.pairs.current.end == 0 || t.pairs.current.end != at {
		return false
	}
	t.pairs.current.end += size
	return true
}

// pair reads the character at a byte offset, and yields the two characters before it, since no more
// marks can follow them.
func (t *tokenizer) pair(at, size int) bool {
	p := &t.pairs
	if p.current.end != at {
		if !t.endPairs() {
			return false
		}
	} else if p.previous.end != 0 && !t.emit(p.previous.start, p.current.end, t.characters) {
		return false
	}
	p.previous, p.current = p.current, span{at, at + size}
	return true
}

// endPairs ends a run: it yields its last pair, then its last character alone.
func (t *tokenizer) endPairs() bool {
	p := t.pairs
	if p.current.end == 0 {
		return true
	}
	t.pairs = pairs{}
	if p.previous.end != 0 && !t.emit(p.previous.start, p.current.end, t.characters) {
		return false
	}
	return t.emit(p.current.start, p.current.end, t.characters)
}

// characters analyzes one or two characters. They have no ending to cut.
func (t *tokenizer) characters(written string) analyzed {
	folded := string(t.folder.fold(written))
	return analyzed{stem: folded, word: folded}
}
