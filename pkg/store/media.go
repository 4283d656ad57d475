package store

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/table"
)

// Media is a stored media file. Its object in the blob store has the key media/<ID>; what a direct upload sends, incoming/<ID>.
type Media struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Mime      string   `json:"mime"`
	Size      int64    `json:"size"`
	Width     *int     `json:"width"`
	Height    *int     `json:"height"`
	Alt       string   `json:"alt"`
	Caption   string   `json:"caption"`
	FolderID  string   `json:"folder_id"` // "" when in none
	Direct    bool     `json:"direct"`    // came by a direct upload
	CreatedAt cms.Time `json:"created_at"`

	version int64
	index   *indexed
}

// storedMedia is the document of a media file.
type storedMedia struct {
	*Media
	Index indexed `json:"index"` // what leads to it, see Tx.reindex
}

func decodeMedia(item *table.Item) (*Media, error) {
	d := storedMedia{Media: &Media{}}
	if err := unmarshal(item.Body, &d); err != nil {
		return nil, err
	}
	d.Media.version, d.Media.index = item.Version, &d.Index
	return d.Media, nil
}

// MediaTypesPath holds a file's type and its family, such as image/png and image/*, so that a pattern is an equality.
const MediaTypesPath = "mimes"

// mediaSpec is the index of media files.
func mediaSpec() *indexSpec {
	return &indexSpec{
		paths: []indexedPath{
			{path: "name"}, {path: "size"}, {path: "mime", counted: true}, {path: MediaTypesPath, list: true, counted: true},
			{path: "created_at"}, {path: "folder", counted: true},
		},
		order:  []cms.SortField{{Path: "created_at", Desc: true}},
		values: func(doc any, path string) []cms.Value { return doc.(*Media).values(path) },
	}
}

// values are what a file is listed by; a folder stands under its id.
func (m *Media) values(path string) []cms.Value {
	text := func(s string) []cms.Value { return []cms.Value{{Kind: cms.ValueText, Text: s}} }
	switch path {
	case "id":
		return text(m.ID)
	case "name":
		return text(m.Name)
	case "mime":
		return text(m.Mime)
	case MediaTypesPath:
		family, _, _ := strings.Cut(m.Mime, "/")
		return append(text(m.Mime), text(family+"/*")...)
	case "alt":
		return text(m.Alt)
	case "folder":
		return text(m.FolderID)
	case "size":
		size, _ := cms.ParseDecimal(strconv.FormatInt(m.Size, 10))
		return []cms.Value{{Kind: cms.ValueNumber, Number: size}}
	case "created_at":
		return []cms.Value{{Kind: cms.ValueTime, Time: m.CreatedAt.Time}}
	}
	return nil
}

// mediaFiles is the collection of all media files.
func mediaFiles() *collection {
	return &collection{
		spec:   mediaSpec(),
		key:    func(id uuid.UUID) table.Key { return mediaKey(id.String()) },
		decode: func(item *table.Item) (any, error) { return decodeMedia(item) },
		space:  func(any) string { return mediaSpace },
		lookup: func(path string) (cms.PathInfo, bool) {
			if path == MediaTypesPath {
				return cms.PathInfo{Kind: cms.ValueText, List: true}, true
			}
			return cms.MediaLookup(path)
		},
		fixed: func(string, string) (string, bool) { return "", false },
	}
}

// PutMedia creates a media file, or changes one that was read before.
func (t *Tx) PutMedia(m Media) {
	spec := mediaSpec()
	now := spec.index(mediaSpace, &m)
	item := table.Item{Key: mediaKey(m.ID), Version: m.version + 1, Body: pack(mustMarshal(storedMedia{&m, now}))}
	if m.version == 0 {
		t.create(item, ErrOvertaken)
	} else {
		t.replace(item, m.version)
	}
	t.reindex(m.index, &now, uuid.MustParse(m.ID), item.Version, spec.scalars(&m))
}

// DeleteMedia removes a media file; its object goes by RemoveObject.
func (t *Tx) DeleteMedia(m *Media) {
	t.remove(mediaKey(m.ID), m.version)
	t.reindex(m.index, nil, uuid.MustParse(m.ID), m.version, nil)
}

// Media reads a media file; ErrNotFound when there is none.
func (s *Store) Media(ctx context.Context, id string) (*Media, error) {
	item, err := s.get(ctx, mediaKey(id))
	if err != nil {
		return nil, err
	}
	return decodeMedia(item)
}

// MediaByID reads media files in one round trip; those that do not exist are left out.
func (s *Store) MediaByID(ctx context.Context, ids ...string) (map[string]*Media, error) {
	found := map[string]*Media{}
	if len(ids) == 0 {
		return found, nil
	}
	var keys []table.Key
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		keys = append(keys, mediaKey(id))
	}
	items, err := s.table.Get(ctx, table.Strong, keys...)
	if err != nil {
		return nil, err
	}
	for _, item := range items {
		if item == nil {
			continue
		}
		m, err := decodeMedia(item)
		if err != nil {
			return nil, err
		}
		found[m.ID] = m
	}
	return found, nil
}

// MediaFiles lists media files, newest first where q has no sort. Filters on folder take ids.
func (s *Store) MediaFiles(ctx context.Context, q ListQuery) (Page[*Media], error) {
	page := Page[*Media]{Paging: q.Paging, Items: []*Media{}}
	records, err := s.list(ctx, mediaFiles(), []string{mediaSpace}, nil, q)
	if err != nil {
		return page, err
	}
	page.Total, page.Estimate, page.Next = records.Total, records.Estimate, records.Next
	for _, r := range records.Items {
		m, err := decodeMedia(r.item)
		if err != nil {
			return page, err
		}
		page.Items = append(page.Items, m)
	}
	return page, nil
}
