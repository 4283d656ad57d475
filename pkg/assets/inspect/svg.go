package inspect

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"headless/pkg/assets/upload"
	"headless/pkg/cms"
)

const (
	svgNamespace   = "http://www.w3.org/2000/svg"
	xlinkNamespace = "http://www.w3.org/1999/xlink"
	xmlNamespace   = "http://www.w3.org/XML/1998/namespace"

	maxSVGDepth = 256
)

// SanitizeSVG rewrites a drawing without anything that could run, load or navigate. It keeps only
// allowed elements and references to parts of the drawing or to embedded raster images. It removes
// event handlers, document types, entities, comments and foreign markup. The drawing looks the
// same. VALIDATION_FAILED on "file" if the document is not well-formed XML with one <svg> as its
// root; FILE_TOO_LARGE above upload.MaxSVGBytes.
func SanitizeSVG(document []byte) ([]byte, error) {
	if len(document) > upload.MaxSVGBytes {
		return nil, cms.Errorf(cms.CodeFileTooLarge, "An SVG may have %d bytes at most.", upload.MaxSVGBytes)
	}
	s := svgWriter{decoder: newDecoder(bytes.TrimPrefix(document, []byte("\xef\xbb\xbf")))}
	if err := s.writeAll(); err != nil {
		problems := cms.Problems{}
		problems.Add("file", "The SVG cannot be read: %s.", svgProblem(err))
		return nil, problems.Err()
	}
	return s.out.Bytes(), nil
}

// svgError is a problem of a drawing, in words for users.
type svgError string

func (e svgError) Error() string { return string(e) }

// svgProblem describes a problem. The messages of the parser are for programmers.
func svgProblem(err error) string {
	var known svgError
	var syntax *xml.SyntaxError
	switch {
	case errors.As(err, &known):
		return known.Error()
	case errors.As(err, &syntax):
		return fmt.Sprintf("it is damaged in line %d", syntax.Line)
	}
	return "it is damaged"
}

// svgWriter copies the allowed content from a decoder to out. The decoder resolves namespaces and
// checks that tags match.
type svgWriter struct {
	decoder *xml.Decoder
	out     bytes.Buffer
	depth   int
	rooted  bool // the root has been seen
}

func (s *svgWriter) writeAll() error {
	for {
		token, err := s.decoder.Token()
		if err == io.EOF && s.rooted {
			return nil
		}
		if err == io.EOF {
			return svgError("it has no <svg> element")
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			err = s.startElement(token)
		case xml.EndElement:
			s.depth--
			s.out.WriteString("</" + token.Name.Local + ">")
		case xml.CharData:
			err = s.writeText(token)
		}
		if err != nil {
			return err
		}
	}
}

func (s *svgWriter) startElement(element xml.StartElement) error {
	if s.depth == 0 && (s.rooted || element.Name.Local != "svg" || !inSVG(element.Name)) {
		return svgError("its root is not one <svg> element")
	}
	if !inSVG(element.Name) || !isAllowed(element.Name.Local) || animatesReference(element) {
		return s.decoder.Skip()
	}
	if s.depth++; s.depth > maxSVGDepth {
		return svgError("its elements are nested too deeply")
	}
	s.out.WriteString("<" + element.Name.Local)
	if !s.rooted {
		s.rooted = true
		s.out.WriteString(` xmlns="` + svgNamespace + `" xmlns:xlink="` + xlinkNamespace + `"`)
	}
	written := make(map[string]bool, len(element.Attr))
	for _, attribute := range element.Attr {
		name, value, ok := cleanAttribute(element.Name.Local, attribute)
		if !ok || written[name] { // two prefixes may mean the same attribute
			continue
		}
		written[name] = true
		s.out.WriteString(" " + name + `="`)
		if err := xml.EscapeText(&s.out, []byte(value)); err != nil {
			return err
		}
		s.out.WriteByte('"')
	}
	s.out.WriteByte('>')
	if element.Name.Local == "style" {
		return s.style()
	}
	return nil
}

// style writes the cleaned text of a style element, whose start has been written.
func (s *svgWriter) style() error {
	var css strings.Builder
	for {
		token, err := s.decoder.Token()
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.CharData:
			css.Write(token)
		case xml.StartElement:
			if err := s.decoder.Skip(); err != nil {
				return err
			}
		case xml.EndElement:
			s.depth--
			s.writeEscaped([]byte(cleanCSS(css.String())))
			s.out.WriteString("</style>")
			return nil
		}
	}
}

func (s *svgWriter) writeText(text xml.CharData) error {
	if s.depth > 0 {
		s.writeEscaped(text)
		return nil
	}
	if len(bytes.TrimSpace(text)) > 0 {
		return svgError("there is text outside the <svg> element")
	}
	return nil
}

// writeEscaped escapes text. Unlike xml.EscapeText, it keeps line ends and tabs readable.
func (s *svgWriter) writeEscaped(text []byte) {
	for _, c := range text {
		switch c {
		case '&':
			s.out.WriteString("&amp;")
		case '<':
			s.out.WriteString("&lt;")
		case '>':
			s.out.WriteString("&gt;")
		default:
			s.out.WriteByte(c)
		}
	}
}

// inSVG accepts SVG elements. It also accepts elements of a document without any namespace, which
// then gets the SVG namespace.
func inSVG(name xml.Name) bool { return name.Space == svgNamespace || name.Space == "" }
