package transfer

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"headless/pkg/e2e/kit"
	"headless/pkg/must"
)

// csvInSpreadsheet opens an export in LibreOffice, saves it there as CSV with the answers that its dialogs offer, and
// sends it back: nothing changed, and no cell was a formula (extensions §16). It is skipped where LibreOffice is not
// installed (Debian: libreoffice-calc).
func csvInSpreadsheet(t *testing.T, s *kit.Suite) {
	office, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("LibreOffice is not installed")
	}
	k, admin := s.AdminKey(t), s.Admin(t)
	target := s.Model(t, nil)
	page := k.Publish(t, target, "Target", nil)
	model := s.Model(t, kit.Obj{"fields": kit.List{
		kit.Field("text", "text", nil), kit.Field("area", "textarea", nil), kit.Field("body", "richtext", nil),
		kit.Field("n", "number", nil), kit.Field("yes", "boolean", nil), kit.Field("day", "date", nil),
		kit.Field("at", "datetime", nil), kit.Field("mail", "email", nil), kit.Field("web", "url", nil),
		kit.Field("one", "select", kit.Obj{"options": kit.List{"=x", "y"}}),
		kit.Field("tags", "multiselect", kit.Obj{"options": kit.List{"a|b", `c\d`, "=e"}}),
		kit.Field("any", "json", nil), kit.Field("to", "relation", kit.Obj{"model": target}),
		kit.Field("size", "group", kit.Obj{"fields": kit.List{kit.Field("w", "number", nil),
			kit.Field("h", "text", nil)}}), kit.Field("steps", "list",
			kit.Obj{"fields": kit.List{kit.Field("x", "text", nil)}}),
		kit.Field("parts", "blocks", kit.Obj{"fields": kit.List{kit.Field("quote", "group",
			kit.Obj{"fields": kit.List{kit.Field("who", "text", nil)}})}}),
	}})
	for title, data := range map[string]kit.Obj{
		"=1+1": {"text": "+1", "area": "-a\nb", "body": "@SUM(1)\n\n\"quoted\", *more*", "n": -2.5, "yes": true,
			"day": "2026-01-31", "at": "2026-01-31T10:00:00.000Z", "mail": "a@example.com",
			"web": "https://example.com/?a=1,2", "one": "=x",
			"tags": kit.List{"a|b", `c\d`, "=e"}, "any": kit.Obj{"a": kit.List{1, "=2"}}, "to": page,
			"size": kit.Obj{"w": 3, "h": `\N`}, "steps": kit.List{kit.Obj{"x": "=y"}},
			"parts": kit.List{kit.Obj{"type": "quote", "who": "Ada"}}},
		"Äpfel “und” 梨": {"text": "\t=tab", "area": "'=quoted", "n": 1234567.25, "yes": false,
			"size": kit.Obj{"h": "TRUE story"}},
		"Empty": {},
	} {
		k.Publish(t, model, title, data)
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "export.csv")
	exported := admin.Get(t, "/models/"+model+"/entries.csv")
	must.Do(t, os.WriteFile(file, exported.Raw, 0o600))
	// Commas, quotation marks, UTF-8, from the first line; the default for all other answers.
	const answers = "44,34,76,1"
	out, err := exec.CommandContext(t.Context(), office,
		"-env:UserInstallation=file://"+filepath.Join(folder, "profile"),
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
		j.Has(t, mode, kit.Obj{"data.status": "done", "data.result.unchanged": 3, "data.result.updated": 0,
			"data.result.failed": kit.List{}})
		if t.Failed() {
			t.Fatalf("exported\n%s\nsaved\n%s", exported.Raw, saved)
		}
	}
}
