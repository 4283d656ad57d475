package analysis

// pairs reads rows of characters of scripts without spaces. A character includes the
// marks behind it.
type pairs struct {
	previous, current span
}

// span is a stretch of the text; one whose end is 0 is empty.
type span struct{ start, end int }

// extend adds a mark to the last character when it stands right behind it.
func (t *tokenizer) extend(at, size int) bool {
	if t.pairs.current.end == 0 || t.pairs.current.end != at {
		return false
	}
	t.pairs.current.end += size
	return true
}

// pair takes the character at, and yields the two before it, which are complete now.
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

// endPairs yields what is left of a row: its last pair and its last character alone.
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

// characters analyzes one or two characters: they have no ending to cut.
func (t *tokenizer) characters(written string) analyzed {
	folded := string(t.folder.fold(written))
	return analyzed{stem: folded, word: folded}
}
