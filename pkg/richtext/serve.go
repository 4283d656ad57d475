package richtext

import (
	"encoding/json"
	"io"

	"headless/pkg/markdown"
)

// Serve makes the HTML of the texts that it reads, for package process, until in ends: each line is
// one text in JSON. It writes a line when it is ready, and then the pieces of each text on a line.
func Serve(in io.Reader, out io.Writer) error {
	texts, pieces := json.NewDecoder(in), json.NewEncoder(out)
	if err := pieces.Encode("ready"); err != nil {
		return err
	}
	for {
		var t markdown.Text
		if err := texts.Decode(&t); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := pieces.Encode(Of(t)); err != nil {
			return err
		}
	}
}
