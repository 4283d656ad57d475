package refs

import (
	"bytes"
	"strings"
)

// attributeValues returns where the values of href and src are in the tags of some HTML. Comments,
// and the content of scripts, styles and text areas, have no tags.
func attributeValues(html []byte) (values []Destination) {
	for at := 0; at < len(html); {
		open := bytes.IndexByte(html[at:], '<')
		if open < 0 {
			return values
		}
		at += open + 1
		rest := html[at:]
		switch {
		case bytes.HasPrefix(rest, []byte("!--")):
			at += skipPast(rest[3:], "-->") + 3
		case len(rest) > 0 && isLetter(rest[0]):
			t := tag{html: html, at: at}
			t.readTag()
			values, at = append(values, t.values...), t.at
			switch name := strings.ToLower(t.name); name {
			case "script", "style", "textarea":
				at += skipPast(bytes.ToLower(html[at:]), "</"+name)
			}
		}
	}
	return values
}

// skipPast returns the position after the first occurrence of end, or the length of html.
func skipPast(html []byte, end string) int {
	if i := bytes.Index(html, []byte(end)); i >= 0 {
		return i + len(end)
	}
	return len(html)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// tag reads one tag of HTML, from its name.
type tag struct {
	html   []byte
	at     int
	name   string
	values []Destination
}

func (t *tag) readTag() {
	t.name = t.word(" \t\n\v\f\r/>")
	for {
		t.skip(func(c byte) bool { return isSpace(c) || c == '/' })
		if t.at == len(t.html) || t.html[t.at] == '>' {
			return
		}
		name := strings.ToLower(t.word(" \t\n\v\f\r/>="))
		t.skip(isSpace)
		if t.at == len(t.html) || t.html[t.at] != '=' {
			continue
		}
		t.at++
		t.skip(isSpace)
		value := t.readAttribute()
		if (name == "href" || name == "src") && value.End > value.Start {
			t.values = append(t.values, value)
		}
	}
}

// readAttribute reads the value of an attribute.
func (t *tag) readAttribute() Destination {
	if t.at < len(t.html) && (t.html[t.at] == '"' || t.html[t.at] == '\'') {
		quote := string(t.html[t.at])
		t.at++
		start := t.at
		t.word(quote)
		end := t.at
		t.at = min(t.at+1, len(t.html))
		return Destination{Start: start, End: end}
	}
	start := t.at
	t.word(" \t\n\v\f\r>")
	return Destination{Start: start, End: t.at}
}

func (t *tag) skip(is func(byte) bool) {
	for t.at < len(t.html) && is(t.html[t.at]) {
		t.at++
	}
}

// word reads up to one of some characters. A first character is read in any case, so that reading
// goes on.
func (t *tag) word(ends string) string {
	start := t.at
	for t.at < len(t.html) && strings.IndexByte(ends, t.html[t.at]) < 0 {
		t.at++
	}
	return string(t.html[start:t.at])
}
