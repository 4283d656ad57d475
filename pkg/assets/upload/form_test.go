package upload

import (
	"io"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/must"
)

func fieldFile(field, name, content string) string {
	return part(`Content-Disposition: form-data; name="`+field+`"; filename="`+name+`"`, content)
}

func takesAll(field string) bool { return field != "other" }

func TestReadForm(t *testing.T) {
	f, err := ReadForm(request(textPart("email", "ä")+textPart("box",
		"a")+textPart("box", "b")+fieldFile("cv", "../cv.txt", "me")+fieldFile("cv", "b.txt",
		"x")+fieldFile("photo", "", "")+fieldFile("other", "o.txt", "dropped")+end), 10, takesAll)
	must.Do(t, err)
	defer f.Close()
	if f.Values.Encode() != "box=a&box=b&email=%C3%A4" || len(f.Files) != 1 || len(f.Files["cv"]) != 2 ||
		f.Files["cv"][0].Name != "cv.txt" {
		t.Errorf("%v %v", f.Values, f.Files)
	}
	if content, err := io.ReadAll(f.Files["cv"][0].File); err != nil || string(content) != "me" {
		t.Errorf("%s, %v", content, err)
	}
}

func TestReadFormRefuses(t *testing.T) {
	for name, row := range map[string]struct {
		body string
		code cms.Code
	}{
		"a file too large": {fieldFile("cv", "a", strings.Repeat("x", 11)) + end, cms.CodeFileTooLarge},
		"files too large": {fieldFile("cv", "a", "123456") + fieldFile("photo", "b", "123456") + end,
			cms.CodeFileTooLarge},
		"texts too large": {textPart("a", strings.Repeat("x", 600_000)) + textPart("b", strings.Repeat("x", 600_000)) +
			end, cms.CodeFileTooLarge},
		"a text not in UTF-8":  {textPart("a", "\xff") + end, cms.CodeBadRequest},
		"cut":                  {textPart("a", "x"), cms.CodeBadRequest},
		"too many parts":       {strings.Repeat(textPart("a", "x"), 101) + end, cms.CodeBadRequest},
		"no name of the field": {part("Content-Disposition; x", "x") + end, cms.CodeBadRequest},
	} {
		f, err := ReadForm(request(textPart("kept", "k")+row.body), 10, takesAll)
		if cms.CodeOf(err) != row.code || f.Files != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	r := request(textPart("a", "x") + end)
	r.Header.Set("Content-Type", "text/plain")
	if f, err := ReadForm(r, 10, takesAll); f == nil || err == nil {
		t.Errorf("%v, %v", f, err)
	}
}
