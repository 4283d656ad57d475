package api

import (
	"net/http"
	"slices"

	"headless/pkg/api/pipeline"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/input"
	"headless/pkg/links"
)

// wantsRaw reads the parameter refs and reports whether references in texts stay in their stored
// form (extensions §12). Error: BAD_REQUEST for a value other than raw.
func wantsRaw(c *pipeline.Call) (bool, error) {
	if asksRaw(c) || !c.R.URL.Query().Has("refs") {
		return asksRaw(c), nil
	}
	return false, cms.Errorf(cms.CodeBadRequest, "refs must be raw, or left out.")
}

// asksRaw is wantsRaw for writes, which ignore other values.
func asksRaw(c *pipeline.Call) bool { return c.R.URL.Query().Get("refs") == "raw" }

// texts returns how to show the texts of the view, nil if they are shown as they are stored.
func (v *view) texts() (*links.Texts, error) {
	if v.raw && !v.html && !v.parts {
		return nil, nil
	}
	own, err := v.h.service.Own(v.c.Context())
	t := &links.Texts{Site: v.c.Site, Entries: v.h.service, Own: own, Admin: v.c.SeesAll(), Chain: v.chain, Tags: v.c.Tags,
		Raw: v.raw, HTML: v.html, Parts: v.parts, Images: v.images}
	if v.h.token != nil {
		t.Unpublished, t.Maker = true, v.h.token.Maker
	}
	return t, err
}

// mayDiffer reports whether t may show the texts of any entry otherwise than they are stored.
func mayDiffer(t *links.Texts, items []content.EntryItem) bool {
	return t != nil && (t.HTML || t.Parts || slices.ContainsFunc(items,
		func(item content.EntryItem) bool { return t.Own.MayReferJSON(item.JSON) }))
}

// resolve resolves references in the shown data of entries: what include names, and those in texts. It
// shows the texts in their form. Of a single entry it keeps the stored form, which If-Match compares.
func (v *view) resolve(t *links.Texts, entries []*cms.Entry, shown []map[string]any) error {
	ctx := v.c.Context()
	asStored := t == nil || len(shown) == 0 || v.fields != nil && !v.fields["data"]
	var stored map[string]any
	if !asStored {
		stored = shown[0]
		for i := range shown {
			shown[i] = t.Split(v.model.Fields, shown[i])
		}
		if v.include != nil {
			v.include.Texts = t
		}
	}
	if err := links.Resolve(ctx, v.h.service, v.include, entries, shown); err != nil || asStored {
		return err
	}
	changed, err := t.Expand(ctx, v.model, shown, v.include)
	if err == nil {
		err = t.Show(ctx, v.model, entries, shown, v.include)
	}
	if err != nil || !changed && !t.HTML && !t.Parts || !v.single || v.include != nil {
		return err
	}
	v.stored, err = v.encodeEntry(entries[0], stored)
	return err
}

// answerEntry returns the rendered entry as an answer.
func (v *view) answerEntry(data, meta any) pipeline.Answer {
	return pipeline.Answer{Data: data, Meta: meta, Stored: v.stored}
}

// ifMatch returns the precondition of a write with If-Match, nil without that header: it returns changed unless the
// header matches the answer that read makes of the stored value, with references in their stored form.
func ifMatch[T any](c *pipeline.Call, changed error, read func(T) (pipeline.Answer, error)) input.Precondition[T] {
	headers := c.R.Header.Values("If-Match")
	if len(headers) == 0 {
		return nil
	}
	return func(stored T) error {
		a, err := read(stored)
		if err != nil {
			return err
		}
		tag, err := pipeline.StoredTag(a)
		if err == nil && !pipeline.MatchesStored(headers, tag) {
			err = changed
		}
		return err
	}
}

// withETag adds the ETag that a read of the answer has.
func withETag(a pipeline.Answer) (pipeline.Answer, error) {
	tag, err := pipeline.TagOf(a)
	a.Header = http.Header{"Etag": {tag}}
	return a, err
}
