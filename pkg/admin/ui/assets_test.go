package ui

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"headless/pkg/admin/say"
	"headless/pkg/must"
)

// TestAsset joins files of a kind, each once, and leaves the comments of scripts out.
func TestAsset(t *testing.T) {
	both, err := Asset("app.pages.js", say.English)
	must.Do(t, err)
	first, err := Asset("app.js", say.English)
	must.Do(t, err)
	second, err := Asset("pages.js", say.English)
	must.Do(t, err)
	if string(both) != string(first)+string(second) || len(second) == 0 {
		t.Error("app.pages.js is not app.js and then pages.js")
	}
	if strings.Contains(string(both), "\n//") || !strings.Contains(string(both), "\n"+`"use strict";`) {
		t.Error("comments are left, or code is not")
	}
	for _, name := range []string{"", "js", ".js", "nope.js", "app.nope.js", "app.app.js",
		"app.passkeys.js.", "../templates.html"} {
		if body, err := Asset(name, say.English); !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%q: %d bytes, %v", name, len(body), err)
		}
	}
	vendored, err := fs.ReadFile(AssetFiles, "assets/codemirror.js")
	must.Do(t, err)
	if body, err := Asset("codemirror.js", say.English); err != nil || string(body) != string(vendored) {
		t.Error("a library is not sent as it is:", err)
	}
}

// TestScriptsKeepTheirTexts holds what Asset relies on: no line inside a text of a script looks
// like a comment.
func TestScriptsKeepTheirTexts(t *testing.T) {
	names, err := fs.Glob(AssetFiles, "assets/*.js")
	must.Do(t, err)
	for _, name := range names {
		body, err := fs.ReadFile(AssetFiles, name)
		must.Do(t, err)
		inside := false
		for i, line := range strings.Split(string(body), "\n") {
			if strings.HasPrefix(strings.TrimSpace(line), "//") {
				if inside {
					t.Errorf("%s: line %d of a text would be left out", name, i+1)
				}
				continue
			}
			if inside && len(stripComments([]byte(line))) < len(strings.TrimLeft(line, " ")) {
				t.Errorf("%s: line %d of a text would be cut", name, i+1)
			}
			if strings.Count(line, "`")%2 == 1 && !strings.Contains(line, `"`+"`"+`"`) {
				inside = !inside
			}
		}
	}
}

// TestStripComments keeps all that may be code.
func TestStripComments(t *testing.T) {
	for script, want := range map[string]string{
		"// about\n  a();\n":                            "a();\n",
		"/* about */\n.a { color: red; }\n":             ".a { color: red; }\n",
		"a(); // why\nb();\n":                           "a();\nb();\n",
		"if (a) { // why\n":                             "if (a) {\n",
		"f(a, // the first\n  b); // of two":            "f(a,\nb);\n",
		"a(\"b; // c\");\n":                             "a(\"b; // c\");\n",
		"a(); // it's so\n":                             "a(); // it's so\n",
		"const at = `x\n  y; // ${z}`;\n":               "const at = `x\ny; // ${z}`;\n",
		"const url = \"https://example.com\"; // why\n": "const url = \"https://example.com\";\n",
		"a // b\n": "a // b\n",
	} {
		if got := string(stripComments([]byte(script))); got != want {
			t.Errorf("%q became %q, not %q", script, got, want)
		}
	}
}
