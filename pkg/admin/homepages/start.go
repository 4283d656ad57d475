package homepages

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"

	"headless/pkg/admin/frame"
	"headless/pkg/admin/say"
	"headless/pkg/assets"
	"headless/pkg/assets/upload"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/schema"
	"headless/pkg/starter"
	"headless/pkg/transfer"
	"headless/pkg/web"
)

// template is a template of package starter on Home.
type template struct {
	Name         string
	Title, Holds say.Text
}

var templates = []template{
	{"blog", "A blog", "Posts with a teaser, a cover and a text, and pages. It begins with two posts and two pages."},
	{"marketing", "A marketing site", "Pages of sections: an opening, texts and quotations. It begins with three pages."},
}

// StartRoutes returns the route that fills a service without models with a template.
func StartRoutes(schemas *schema.Schemas, entries transfer.Importer, files *assets.Media) []frame.Route {
	h := startHandlers{schemas, importHandlers{entries: entries, files: files}}
	return []frame.Route{{Method: "POST", Pattern: "/start", Role: cms.RoleUserAdmin, Handle: frame.WithBody(h.start)}}
}

type startHandlers struct {
	schemas *schema.Schemas
	imports importHandlers
}

// started is what a template has made.
type started struct {
	Template string   `json:"template"`
	Models   []string `json:"models"` // slugs
	Files    int      `json:"files"`
	Entries  int      `json:"entries"`
}

// start applies the schema of a template and imports its content.
func (h startHandlers) start(c *frame.Call, body map[string]any) (frame.Result, error) {
	in, p := input.Decode[struct {
		Template *string `json:"template"`
	}](body)
	if in.Template == nil || !slices.Contains(starter.Names, *in.Template) {
		p.Add("template", "must be one of %s", strings.Join(starter.Names, ", "))
	}
	if err := p.Err(); err != nil {
		return frame.Result{}, err
	}
	models, err := h.applySchema(c, *in.Template)
	if err != nil {
		return frame.Result{}, err
	}
	made := started{Template: *in.Template, Models: models}
	return frame.Result{Data: &made, Redirect: "/?ok=started"}, h.importContent(c, &made)
}

// applySchema applies the schema of a template, and returns the slugs of its models. CONFLICT if there are models
// already.
func (h startHandlers) applySchema(c *frame.Call, name string) (models []string, err error) {
	ctx := c.R.Context()
	if err := h.empty(c); err != nil {
		return nil, err
	}
	document, err := starter.Schema(name)
	if err != nil {
		return nil, err
	}
	plan, err := h.schemas.Plan(ctx, document)
	if err != nil {
		return nil, err
	}
	_, err = h.schemas.Apply(ctx, c.Actor(), document, plan.ID, nil,
		func([]schema.Change) error { return h.empty(c) })
	if cms.CodeOf(err) == cms.CodePreconditionFailed { // pressed twice at once
		err = errors.Join(h.empty(c), err)
	}
	for _, change := range plan.Changes {
		if slug, isModel := strings.CutPrefix(change.Path, "models."); isModel {
			models = append(models, slug)
		}
	}
	return models, err
}

const modelsThere say.Text = "There are models already. A template fills a service without models."

// empty returns CONFLICT if the service has models, or if they are locked.
func (h startHandlers) empty(c *frame.Call) error {
	now, err := h.schemas.Store.Site.Site(c.R.Context())
	switch {
	case err != nil:
		return err
	case len(now.Models) > 0:
		return cms.Errorf(cms.CodeConflict, "%s", modelsThere.String())
	}
	if reason := frame.ModelsLocked(now); reason != "" {
		return cms.Errorf(cms.CodeConflict, "%s", reason.String())
	}
	return nil
}

// importContent imports the content of a template. If something is not taken, the error says what is there and what
// is missing.
func (h startHandlers) importContent(c *frame.Call, made *started) error {
	content, err := starter.Content(made.Template)
	if err != nil {
		return err
	}
	entries, code, missing := h.imports.entries.NewBatch(), cms.Code(""), []string(nil)
	for _, body := range content {
		var r importLine
		r.Model, _ = body["model"].(string)
		h.imports.line(c, entries, &r, body, input.ImportOptions{OnConflict: input.ImportNewer})
		if r.Error != nil && r.Error.Code == cms.CodeFileNotFound {
			r.Error = nil
			if err := h.upload(c, made.Template, body); err != nil {
				r.Error = importErrorOf(web.Safe(c.A.Cfg.Log, c.RequestID, err))
			}
		}
		switch {
		case r.Error != nil:
			code = cmp.Or(code, r.Error.Code)
			why := c.InLanguage(&cms.Error{Message: r.Error.Message}).Message
			missing = append(missing, textOf(body, "title")+textOf(body, "name")+" ("+why+")")
		case r.Model == "media":
			made.Files++
		default:
			made.Entries++
		}
	}
	if code == "" {
		return nil
	}
	return cms.Errorf(code, "%s", say.F("The models are there ({1}), and entries and files: {2} of {3}. Missing: {4}. "+
		"To start again, delete the models.", strings.Join(made.Models, ", "), len(content)-len(missing), len(content),
		strings.Join(missing, "; ")).String())
}

// upload stores the bytes of a file that a line describes.
func (h startHandlers) upload(c *frame.Call, template string, line map[string]any) error {
	hash := textOf(line, "sha256")
	raw, err := starter.File(template, hash)
	if err != nil {
		return err
	}
	created, err := assets.ImportTime(textOf(line, "created_at"))
	if err != nil {
		return err
	}
	_, err = h.imports.files.ImportContent(c.R.Context(), c.Actor(), &upload.Upload{ID: textOf(line, "id"),
		Name: textOf(line, "name"), File: bytes.NewReader(raw), Size: int64(len(raw)), Alt: textOf(line, "alt"),
		Caption: textOf(line, "caption"), CreatedAt: created}, hash)
	return err
}

// textOf returns a text of a line, "" if it has none.
func textOf(line map[string]any, key string) string {
	value, _ := line[key].(string)
	return value
}
