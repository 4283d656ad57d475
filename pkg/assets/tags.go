package assets

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/index/sortkey"
	"headless/pkg/index/totals"
	"headless/pkg/input"
)

// Limits of the tags of a file.
const (
	MaxTags     = 20
	MaxTagChars = 60
)

// tag is a stored tag: a row for each text that a file ever had, so that tags are listed without reading files.
type tag struct {
	Name string `json:"name"`
}

func tagDocs(s *db.DB) db.Docs[tag] { return db.Docs[tag]{DB: s, Kind: "filetag"} }

// CleanTags trims tags, and removes empty ones and those that are there twice; case does not count. Of too many for
// a file, it returns the first MaxTags+1.
func CleanTags(tags []string) []string {
	var clean []string
	for _, name := range tags {
		name = strings.Join(strings.Fields(name), " ")
		if name != "" && len(clean) <= MaxTags && !HasTag(clean, name) {
			clean = append(clean, name)
		}
	}
	return clean
}

// HasTag reports whether a tag is among others; case does not count.
func HasTag(tags []string, name string) bool {
	return slices.ContainsFunc(tags, func(t string) bool { return strings.EqualFold(t, name) })
}

func checkTags(p cms.Problems, tags []string) {
	if len(tags) > MaxTags {
		p.Add("tags", "must have at most %d tags", MaxTags)
	}
	for _, name := range tags {
		if utf8.RuneCountInString(name) > MaxTagChars || !utf8.ValidString(name) || strings.Contains(name, ",") {
			p.Add("tags", "must be texts of at most %d characters, without commas", MaxTagChars)
			return
		}
	}
}

// Tags lists the tags that files have, by name.
func (s *Media) Tags(ctx context.Context) ([]string, error) {
	if err := input.Permit(ctx, cms.ActionRead, cms.AreaMedia, "tag"); err != nil {
		return nil, err
	}
	docs, err := tagDocs(s.Store.DB).All(ctx)
	if err != nil || len(docs) == 0 {
		return nil, err
	}
	counters := make([]string, len(docs))
	for i, d := range docs {
		counters[i] = index.ValueCounter(tagPath, query.Value{Kind: cms.ValueText, Text: d.Value.Name})
	}
	counts, err := totals.Of(ctx, s.Store.DB, []string{MediaSpace}, counters...)
	if err != nil {
		return nil, err
	}
	var names []string
	for i, d := range docs {
		if counts[i] > 0 {
			names = append(names, d.Value.Name)
		}
	}
	cms.Sort(names, sortkey.CompareText)
	return names, nil
}

// keepTags adds the rows of the tags of a file that no file had before. A tag that is known keeps its spelling, so that
// one tag is not listed as two. It changes m.
func (s *Media) keepTags(ctx context.Context, tx *db.Tx, m *Asset, before []string) error {
	if len(m.Tags) == 0 || slices.Equal(m.Tags, before) {
		return nil
	}
	docs, err := tagDocs(s.Store.DB).All(ctx)
	if err != nil {
		return err
	}
	for i, name := range m.Tags {
		known := slices.IndexFunc(docs, func(d db.Doc[tag]) bool { return strings.EqualFold(d.Value.Name, name) })
		if known >= 0 {
			m.Tags[i] = docs[known].Value.Name
		} else {
			tagDocs(s.Store.DB).Create(tx, db.NameDigest(strings.ToLower(name)), tag{name}, db.ErrOvertaken)
		}
	}
	return nil
}
