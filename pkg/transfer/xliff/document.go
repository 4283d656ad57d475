package xliff

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"headless/pkg/cms"
)

// namespace is the XML namespace of XLIFF 2.0 and 2.1.
const namespace = "urn:oasis:names:tc:xliff:document:2.0"

// MaxBytes limits the size of a file. An answer on AWS has at most 6 MB.
const MaxBytes = 4 << 20

// MaxEntries limits the entries of a file.
const MaxEntries = 500

// maxTags limits the start and end tags of a file. A file of MaxBytes with the shortest texts has 260,000.
const maxTags = 300_000

// document is an XLIFF file: texts of entries and their translations from one locale to another.
type document struct {
	XMLName xml.Name
	Version string `xml:"version,attr"`
	Source  string `xml:"srcLang,attr"`
	Target  string `xml:"trgLang,attr"`
	Files   files  `xml:"file"`
}

type files []file

// UnmarshalXML refuses a file element that is too much before it takes memory.
func (l *files) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	if len(*l) == MaxEntries {
		return refuse("has more than %d entries: split it", MaxEntries)
	}
	var f file
	err := d.DecodeElement(&f, &start)
	*l = append(*l, f)
	return err
}

// file has the texts of an entry.
type file struct {
	ID       string `xml:"id,attr"`
	Original string `xml:"original,attr,omitempty"` // "posts/<id>"
	Space    string `xml:"http://www.w3.org/XML/1998/namespace space,attr,omitempty"`
	Notes    *notes `xml:"notes"`
	group
}

// group has units; tools may have put them into groups.
type group struct {
	Groups []group `xml:"group"`
	Units  []unit  `xml:"unit"`
}

// unit is a text of an entry.
type unit struct {
	ID    string `xml:"id,attr"`             // path of the text
	Was   string `xml:"type,attr,omitempty"` // mark of the translation that was there
	Notes *notes `xml:"notes"`
	Codes *codes `xml:"originalData"`
	Parts []part `xml:",any"`
}

// size returns a number of bytes that a unit takes at least in a file.
func (u *unit) size() int {
	n := len(`<unit id=""><notes></notes></unit>`) + len(u.ID)
	for _, note := range u.Notes.Notes {
		n += len(`<note category=""></note>`) + len(note.Category) + len(note.Text)
	}
	for _, p := range u.Parts {
		n += len(`<segment><source></source></segment>`) + len(p.Source.XML)
		if p.Target != nil {
			n += len(p.Target.XML)
		}
	}
	return n
}

type notes struct {
	Notes []note `xml:"note"`
}

type note struct {
	Category string `xml:"category,attr"`
	Text     string `xml:",chardata"`
}

// codes are the texts of the codes in a unit.
type codes struct {
	Data []code `xml:"data"`
}

type code struct {
	ID   string `xml:"id,attr"`
	Text string `xml:",chardata"`
}

// part is a segment, or the gap between two (ignorable).
type part struct {
	XMLName xml.Name
	ID      string  `xml:"id,attr,omitempty"`
	State   string  `xml:"state,attr,omitempty"`
	Source  *inline `xml:"source"`
	Target  *inline `xml:"target"`
}

// inline is the content of a source or target: escaped text and codes.
type inline struct {
	Order int    `xml:"order,attr,omitempty"` // place of a target in the translation, from 1; 0: that of its source
	XML   string `xml:",innerxml"`
}

// writeFile returns a document as a file.
func (d *document) writeFile() ([]byte, error) {
	d.XMLName, d.Version = xml.Name{Space: namespace, Local: "xliff"}, "2.0"
	var b bytes.Buffer
	b.WriteString(xml.Header)
	encoder := xml.NewEncoder(&b)
	encoder.Indent("", " ")
	if err := encoder.Encode(d); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// readDocument reads a document. Errors: VALIDATION_FAILED about the field file.
func readDocument(from io.Reader) (*document, error) {
	raw, err := io.ReadAll(io.LimitReader(from, MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(raw) > MaxBytes {
		return nil, refuse("must be at most 4 MB")
	}
	if !utf8.Valid(raw) {
		return nil, refuse("is not in UTF-8: save it in this encoding")
	}
	if bytes.Count(raw, []byte("<")) > maxTags {
		return nil, refuse("has more than %d tags: split it", maxTags)
	}
	var d document
	decoder := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(raw, []byte("\ufeff"))))
	decoder.CharsetReader = func(string, io.Reader) (io.Reader, error) {
		return nil, refuse("is not in UTF-8: save it in this encoding")
	}
	if err := decoder.Decode(&d); err != nil {
		var syntax *xml.SyntaxError
		var refused *cms.Error
		switch {
		case errors.As(err, &refused):
			return nil, refused
		case errors.As(err, &syntax):
			return nil, refuse("is not valid XML: line %d, %s", syntax.Line, syntax.Msg)
		}
		return nil, refuse("is not an XLIFF file")
	}
	switch {
	case d.XMLName.Local != "xliff":
		return nil, refuse("is not an XLIFF file")
	case d.XMLName.Space != namespace || !strings.HasPrefix(d.Version, "2."):
		return nil, refuse("is XLIFF %s: export it as XLIFF 2.0 or 2.1", cms.Shorten(d.Version))
	case len(d.Files) == 0:
		return nil, refuse("has no texts")
	case d.Source == "" || d.Target == "":
		return nil, refuse("does not say from which language it translates to which (srcLang, trgLang)")
	}
	ids := map[string]bool{}
	for i := range d.Files {
		id := strings.ToLower(d.Files[i].ID)
		if ids[id] {
			return nil, refuse("has the entry %s twice", cms.Shorten(id))
		}
		ids[id] = true
	}
	return &d, nil
}

// refuse says what is wrong with the file of a request.
func refuse(format string, args ...any) error {
	return cms.Problems{"file": {fmt.Sprintf(format, args...)}}.Err()
}

// appendUnits appends the units of a group to a list, in their order within each group.
func (g *group) appendUnits(units []unit) []unit {
	units = append(units, g.Units...)
	for i := range g.Groups {
		units = g.Groups[i].appendUnits(units)
	}
	return units
}

// wording is what a unit says.
type wording struct {
	source, target string // target has the source in place of segments without a translation
	translated     coverage
	lost           bool   // the translation lacks a code of the source
	dropped        string // a tag of the translation that has no place in the text, "" for none
}

// texts returns the source and the translation of a unit. The texts of its codes, which a few bytes repeat, take
// their bytes from left. Error: a code is unknown, or left is used up.
func (u *unit) texts(left *int) (w wording, err error) {
	r := codeReader{byData: map[string]string{}, byID: map[string]string{}, left: left}
	if u.Codes != nil {
		for _, c := range u.Codes.Data {
			r.byData[c.ID] = c.Text
		}
	}
	var source, target strings.Builder
	type placed struct {
		at   int
		text string
	}
	var targets []placed
	var done, open bool
	needed, given := map[string]bool{}, map[string]bool{}
	for i := range u.Parts {
		p := &u.Parts[i]
		if p.XMLName.Local != "segment" && p.XMLName.Local != "ignorable" {
			continue
		}
		from, codes, err := r.readText(p.Source)
		if err != nil {
			return w, err
		}
		r.dropped = ""
		to, kept, err := r.readText(p.Target)
		if err != nil {
			return w, err
		}
		w.dropped = cmp.Or(w.dropped, r.dropped)
		has := strings.TrimSpace(to) != ""
		// Many programs begin with the source as the translation.
		isCopy := to == from && (p.State == "" || p.State == stateInitial)
		if p.XMLName.Local == "segment" {
			done, open = done || has && !isCopy, open || !has && strings.TrimSpace(from) != ""
		}
		if !has {
			to, kept = from, codes
		}
		maps.Copy(needed, codes)
		maps.Copy(given, kept) // a code may move to another segment
		source.WriteString(from)
		at := len(targets) + 1
		if has {
			at = cmp.Or(p.Target.Order, at)
		}
		targets = append(targets, placed{at, to})
	}
	slices.SortStableFunc(targets, func(a, b placed) int { return a.at - b.at })
	for id := range needed {
		w.lost = w.lost || !given[id]
	}
	for _, t := range targets {
		target.WriteString(t.text)
	}
	w.source, w.target = source.String(), target.String()
	if done {
		w.translated = whole
		if open {
			w.translated = partly
		}
	}
	return w, nil
}

// coverage is how much of a unit has a translation.
type coverage int

const (
	nothing coverage = iota
	partly
	whole
)

// codeReader reads texts with codes.
type codeReader struct {
	byData map[string]string // texts of codes by the id of their data
	byID   map[string]string // texts of codes that were read, by their id
	left   *int              // bytes that texts of codes may still have

	dropped string // the name of the last tag that was ignored
}

// readText returns the text of a source or target, and the ids of its codes. Markers and other elements
// around text are ignored.
func (r *codeReader) readText(in *inline) (text string, codes map[string]bool, err error) {
	if in == nil {
		return "", nil, nil
	}
	codes = map[string]bool{}
	var b strings.Builder
	decoder := xml.NewDecoder(strings.NewReader(in.XML))
	for {
		token, err := decoder.RawToken()
		if errors.Is(err, io.EOF) {
			return b.String(), codes, nil
		}
		if err != nil {
			return "", nil, fmt.Errorf("cannot be read: %w", err)
		}
		switch token := token.(type) {
		case xml.CharData:
			b.Write(token)
		case xml.StartElement:
			switch token.Name.Local {
			case "ph":
				id := attribute(token, "id")
				text, ok := r.byData[attribute(token, "dataRef")]
				if !ok {
					text, ok = r.byID[id]
				}
				if !ok {
					return "", nil, fmt.Errorf("has the code %s, which is not in the source", cms.Shorten(id))
				}
				if *r.left -= len(text); *r.left < 0 {
					return "", nil, errors.New("must be at most 4 MB")
				}
				r.byID[id], codes[id] = text, true
				b.WriteString(text)
			case "cp":
				var char rune
				if _, err := fmt.Sscanf(attribute(token, "hex"), "%x", &char); err != nil {
					return "", nil, errors.New("has a character (cp) that cannot be read")
				}
				b.WriteRune(char)
			case "mrk", "sm", "em": // notes and terms of translators
			default:
				r.dropped = token.Name.Local
			}
		}
	}
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
