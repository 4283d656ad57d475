package filepages

import (
	"fmt"
	"strconv"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
)

// pictureFields returns the fields for the focal point and the crop of an image. Both are set on the picture, which is
// the whole one, or as JSON and numbers.
func pictureFields(m cms.Media) []ui.Field {
	if !strings.HasPrefix(m.Mime, "image/") || m.Width == nil {
		return nil
	}
	fields := []ui.Field{{
		Name: "focal", Label: "Focal point", Kind: "text", Value: focalText(m.Focal),
		Picture: cms.VariantURL(cms.OriginalURL(m.URL), "w=640"),
		Help: "Click what must stay in sight when the picture is cropped, move the mark with Alt and the arrow keys, " +
			"or write its distance from the left and from the top in parts of the picture, such as 0.5, 0.3. Empty: the middle.",
	}}
	if !m.Scalable {
		return fields
	}
	numbers := []ui.Field{{Name: "crop.x", Label: "Left"}, {Name: "crop.y", Label: "Top"},
		{Name: "crop.width", Label: "Width"}, {Name: "crop.height", Label: "Height"}}
	for i := range numbers {
		if numbers[i].Kind = "number"; m.Crop != nil {
			v := []float64{m.Crop.X, m.Crop.Y, m.Crop.Width, m.Crop.Height}[i]
			numbers[i].Value = strconv.FormatFloat(v, 'f', -1, 64)
		}
	}
	return append(fields, ui.Field{Name: "crop", Label: "Crop", Kind: "group",
		Help: "Sites show this part only. Drag the corners on the picture, or write parts of its width and height from " +
			"0 to 1. Empty: the whole picture. The file itself stays as it is.",
		Fields: []ui.Field{{Kind: "row", Fields: numbers}}})
}

// focalText returns a focal point as forms show it, such as "0.5, 0.3".
func focalText(f *cms.Focal) string {
	if f == nil {
		return ""
	}
	return fmt.Sprintf("%g, %g", f.X, f.Y)
}

// readFocal reads the focal point of a form. It leaves JSON, which a form may also send, as it is.
func readFocal(body map[string]any) {
	given, isForm := body["focal"].(input.FormValue)
	if x, y, isPair := strings.Cut(given.Last(), ","); isForm && isPair && !strings.HasPrefix(x, "{") {
		body["focal"] = map[string]any{"x": input.FormValue{strings.TrimSpace(x)},
			"y": input.FormValue{strings.TrimSpace(y)}}
	}
}

// uncropEmpty makes the crop of a form null if its fields are empty.
func uncropEmpty(body map[string]any) {
	numbers, ok := body["crop"].(map[string]any)
	for _, v := range numbers {
		given, isForm := v.(input.FormValue)
		ok = ok && isForm && given.Last() == ""
	}
	if ok && len(numbers) > 0 {
		body["crop"] = nil
	}
}

// withUndo changes a file, and offers to put its former values back.
func (h MediaHandlers) withUndo(change frame.Handler) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		if !c.IsForm {
			return change(c)
		}
		before, err := h.Files.Get(c.R.Context(), c.R.PathValue("id"))
		if err != nil {
			return frame.Result{}, err
		}
		if c.Form.Get("focal") == focalText(before.Focal) { // so that it keeps its place in the picture
			c.Form.Del("focal")
		}
		result, err := change(c)
		if after, ok := result.Data.(cms.Media); ok && err == nil {
			was := former{}
			was.note(before, after)
			result.Undo = was.undo(c.Form["_back"])
		}
		return result, err
	}
}
