package importing

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/cms/validation"
	"headless/pkg/slug"
	"headless/scripts/cms/client"
)

// rehearsal finds problems in a dry run that the service cannot see: it checks the lines of one request only, and
// none of models and locales that do not exist yet.
type rehearsal struct {
	file    string // name of the file of lines, which is that of their model
	missing parts
	model   *cms.Model       // nil: the service has it
	places  map[place]string // ids of the lines that were taken in earlier requests
	sent    map[string]place // places of the lines of this request, by id
}

// place is the address of one entry of a model.
type place struct{ locale, slug string }

func newRehearsal(file string, missing parts) *rehearsal {
	return &rehearsal{file, missing, missing.model(file), map[place]string{}, map[string]place{}}
}

// check returns the result of a line that is not to be sent, "" if the service checks it.
func (r *rehearsal) check(line []byte, o *Options) string {
	result := ""
	if r.missing.isAwaited(line) {
		result = ResultCreated
	}
	body, err := cms.DecodeObject(line)
	if err != nil || r.file == "media" || r.file == "menus" {
		return result
	}
	id, _ := body["id"].(string)
	delete(body, "model")
	delete(body, "meta")
	patch, e := cms.DecodeEntryPatch(body), &cms.Entry{}
	patch.Apply(e)
	e.Status, e.Slug = cmp.Or(e.Status, cms.StatusDraft), cmp.Or(e.Slug, slug.Of(e.Title, e.Locale))
	if r.model != nil {
		if e.Locale == "" || !r.model.Localized {
			e.Locale = "default"
		}
		err = validation.Checks{}.Imported(r.model, patch, e).Err()
	}
	at := place{e.Locale, e.Slug}
	if other := r.places[at]; err == nil && other != "" && other != id {
		err = cms.Errorf(cms.CodeSlugConflict, "The slug %q is that of %s.", e.Slug, o.name(r.file, other))
	}
	if known, ok := errors.AsType[*cms.Error](err); ok {
		fmt.Fprintf(os.Stderr, "%s was not taken: %s\n", o.name(r.file, id),
			&client.Error{Code: string(known.Code), Message: known.Message, Details: known.Details})
		return ResultFailed
	}
	if r.sent[id] = at; result != "" {
		r.places[at] = id
	}
	return result
}

// end notes which places the lines of a request have that was answered.
func (r *rehearsal) end(refused map[string]bool) {
	for id, at := range r.sent {
		if !refused[id] {
			r.places[at] = id
		}
	}
	clear(r.sent)
}

// model returns a missing model, nil if the service has it.
func (missing parts) model(slug string) *cms.Model {
	at := slices.IndexFunc(missing["models"], func(m map[string]any) bool { return m["slug"] == slug })
	if at < 0 {
		return nil
	}
	m := &cms.Model{}
	raw, err := json.Marshal(missing["models"][at])
	if err == nil {
		err = json.Unmarshal(raw, m)
	}
	if err != nil {
		return nil // the service says what is wrong when it is added
	}
	return m
}
