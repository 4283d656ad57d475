package locales

import (
	"regexp"
	"strings"
	"testing"

	"headless/pkg/e2e/kit"
)

// changedFiles takes files as programs of translators and people change them, and one that is older than the
// translation (extensions §3).
func changedFiles(t *testing.T, s *kit.Suite) {
	s.UseLocale(t, "de", "Deutsch")
	model := s.Model(t, kit.Obj{"localized": true,
		"fields": kit.List{kit.Field("teaser", "textarea", nil), kit.Field("body", "richtext", nil)}})
	k, admin := s.AdminKey(t), s.Admin(t)
	data := kit.Obj{"teaser": "Small lamps", "body": "One [link](cms://entry/" + kit.UnknownID + ").\n\nTwo.\n"}
	file := func(id string) string {
		return string(admin.Get(t, "/models/"+model+"/entries.xliff?locale=de&ids="+id).Raw)
	}
	id := k.Create(t, model, kit.Obj{"title": "Brook", "data": data}).Str(t, "data.id")
	text := file(id)

	// A program begins with the source as the translation: nobody has translated this file.
	copied := regexp.MustCompile(`(?s)<source>(.*?)</source>`).ReplaceAllString(text, "$0<target>$1</target>")
	takeXLIFF(t, admin, model, copied).Has(t, "copied", kit.Obj{"data.0.result": "unchanged", "data.0.texts": 0})

	// One segment becomes two, and the link moves to the other; spaces at the end are lost.
	split := strings.NewReplacer(
		"<source>One [link](", "<source>One </source><target>Ein </target></segment><segment><source>[link](",
		").</source>", ").</source><target>Verweis.</target>",
		"Two.\n</source>", `Two.</source><target>[Zwei](<ph id="1" dataRef="d1"/>).</target>`).Replace(text)
	takeXLIFF(t, admin, model, split).Has(t, "split", kit.Obj{"data.0.result": "created", "data.0.texts": 1,
		"data.0.warnings": kit.Obj{"title": kit.List{"is not translated; the text of the source stands there"},
			"data.teaser": kit.List{"is not translated; the text of the source stands there"}}})

	// Tags of other texts are left out, and a text that is there twice is taken once.
	id = k.Create(t, model, kit.Obj{"title": "Heron", "data": data}).Str(t, "data.id")
	text = translation(t, file(id), map[string]string{"title": "<b>Reiher</b>", "data.teaser": "Kleine Lampen"})
	unit := regexp.MustCompile(`(?s)<unit id="data.teaser".*?</unit>`).FindString(text)
	text = strings.Replace(text, unit, unit+strings.Replace(unit, "Kleine", "Winzige", 1), 1)
	a := takeXLIFF(t, admin, model, strings.ReplaceAll(text, "\n", "\r\n"))
	a.Has(t, "tags", kit.Obj{"data.0.result": "created", "data.0.warnings": kit.Obj{
		"title":       kit.List{"tags were left out, such as b: this text has no place for them"},
		"data.teaser": kit.List{"the file has two translations of this text; the first was taken"},
		"data.body":   kit.List{"is not translated; the text of the source stands there"}}})
	de := a.Str(t, "data.0.translation")
	k.Get(t, "/"+model+"/"+de).Has(t, "tags", kit.Obj{"data.title": "Reiher", "data.data.teaser": "Kleine Lampen"})

	// While the translator works on the title, an editor changes the title and the teaser here.
	text = file(id)
	k.Put(t, "/"+model+"/"+de, kit.Obj{"title": "Der Reiher", "data": kit.Obj{"teaser": "Hübsche Lampen"}})
	takeXLIFF(t, admin, model, translation(t, text, map[string]string{"title": "Graureiher"})).Has(t, "meanwhile",
		kit.Obj{"data.0.result": "updated", "data.0.warnings": kit.Obj{"title": kit.List{
			"this translation changed here after the export; that of the file takes its place"}}})
	k.Get(t, "/"+model+"/"+de+"/draft").Has(t, "meanwhile",
		kit.Obj{"data.title": "Graureiher", "data.data.teaser": "Hübsche Lampen"})
}
