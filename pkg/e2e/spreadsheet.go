package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// csvInSpreadsheet opens an export in LibreOffice, saves it there as CSV with the answers that its dialogs offer, and
// sends it back: nothing changed, and no cell was a formula (extensions §16). It is skipped where LibreOffice is not
// installed (Debian: libreoffice-calc).
func csvInSpreadsheet(t *testing.T, s *suite) {
	office, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("LibreOffice is not installed")
	}
	k, admin := s.adminKey(t), s.admin(t)
	target := s.model(t, nil)
	page := k.publish(t, target, "Target", nil)
	model := s.model(t, obj{"fields": list{
		field("text", "text", nil), field("area", "textarea", nil), field("body", "richtext", nil), field("n", "number", nil),
		field("yes", "boolean", nil), field("day", "date", nil), field("at", "datetime", nil), field("mail", "email", nil),
		field("web", "url", nil), field("one", "select", obj{"options": list{"=x", "y"}}),
		field("tags", "multiselect", obj{"options": list{"a|b", `c\d`, "=e"}}), field("any", "json", nil),
		field("to", "relation", obj{"model": target}),
		field("size", "group", obj{"fields": list{field("w", "number", nil), field("h", "text", nil)}}),
		field("steps", "list", obj{"fields": list{field("x", "text", nil)}}),
		field("parts", "blocks", obj{"fields": list{field("quote", "group", obj{"fields": list{field("who", "text", nil)}})}}),
	}})
	for title, data := range map[string]obj{
		"=1+1": {"text": "+1", "area": "-a\nb", "body": "@SUM(1)\n\n\"quoted\", *more*", "n": -2.5, "yes": true, "day": "2026-01-31",
			"at": "2026-01-31T10:00:00.000Z", "mail": "a@example.com", "web": "https://example.com/?a=1,2", "one": "=x",
			"tags": list{"a|b", `c\d`, "=e"}, "any": obj{"a": list{1, "=2"}}, "to": page, "size": obj{"w": 3, "h": `\N`},
			"steps": list{obj{"x": "=y"}}, "parts": list{obj{"type": "quote", "who": "Ada"}}},
		"Äpfel “und” 梨": {"text": "\t=tab", "area": "'=quoted", "n": 1234567.25, "yes": false, "size": obj{"h": "TRUE story"}},
		"Empty":         {},
	} {
		k.publish(t, model, title, data)
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "export.csv")
	exported := admin.ok(t, 200, "GET /models/"+model+"/entries.csv", nil)
	if err := os.WriteFile(file, exported.Raw, 0o600); err != nil {
		t.Fatal(err)
	}
	// Commas, quotation marks, UTF-8, from the first line; the default for all other answers.
	const answers = "44,34,76,1"
	out, err := exec.CommandContext(t.Context(), office, "-env:UserInstallation=file://"+filepath.Join(folder, "profile"),
		"--headless", "--infilter=CSV:"+answers, "--convert-to", "csv:Text - txt - csv (StarCalc):"+answers,
		"--outdir", filepath.Join(folder, "saved"), file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	saved, err := os.ReadFile(filepath.Join(folder, "saved", "export.csv"))
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, mode := range []string{"draft", "publish"} {
		j := sendCSV(t, s, model, mode, string(saved))
		j.has(t, mode, obj{"data.status": "done", "data.result.unchanged": 3, "data.result.updated": 0, "data.result.failed": list{}})
		if t.Failed() {
			t.Fatalf("exported\n%s\nsaved\n%s", exported.Raw, saved)
		}
	}
}
