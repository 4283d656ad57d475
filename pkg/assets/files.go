package assets

import (
	"context"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Asset is a stored media file. Its object in the blob store has the key media/<ID>; the temporary
// object of a direct upload has the key incoming/<ID>.
type Asset struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Mime      string   `json:"mime"`
	Size      int64    `json:"size"`
	Width     *int     `json:"width"`
	Height    *int     `json:"height"`
	Alt       string   `json:"alt"`
	Caption   string   `json:"caption"`
	FolderID  string   `json:"folder_id"` // "": not in a folder
	Direct    bool     `json:"direct"`    // created by a direct upload
	CreatedAt cms.Time `json:"created_at"`

	Focal       *cms.Focal `json:"focal,omitempty"`
	Placeholder string     `json:"placeholder,omitempty"` // BlurHash; "": none
	Scalable    bool       `json:"scalable,omitempty"`    // variants can be made
	Swap        string     `json:"swap,omitempty"`        // token of a pending ContentSwap
	Edition     int        `json:"edition,omitempty"`     // of the content; 0: it was never replaced
	Decorative  bool       `json:"decorative,omitempty"`
	Tags        []string   `json:"tags,omitempty"`

	Alts map[string]string `json:"alts,omitempty"` // alternative texts by locale; never ""

	// With a crop, Width, Height, Focal and Placeholder are those of the crop, and Whole has those of the picture.
	Crop  *cms.Crop     `json:"crop,omitempty"`
	Whole *wholePicture `json:"whole,omitempty"`

	version int64
	index   *index.Indexed
}

type wholePicture struct {
	Width       int    `json:"width"`
	Height      int    `json:"height"`
	Placeholder string `json:"placeholder"`
}

// storedMedia is the document of a media file.
type storedMedia struct {
	*Asset
	Index index.Indexed `json:"index"` // the index rows of the file
}

func decodeMedia(item *table.Item) (*Asset, error) {
	d := storedMedia{Asset: &Asset{}}
	if err := db.Unmarshal(item.Body, &d); err != nil {
		return nil, err
	}
	d.Asset.version, d.Asset.index = item.Version, &d.Index
	return d.Asset, nil
}

// mediaTypesPath has a file's type and its family, such as image/png and image/*, so that a pattern
// can be matched by equality.
const mediaTypesPath = "mimes"

// mediaWordsPath has what a search of the library looks at: the name of a file and its tags.
const mediaWordsPath = "words"

// tagPath is the path of the tags of files.
const tagPath = "tag"

// mediaSpec is the index of media files.
func mediaSpec() *index.IndexSpec {
	return &index.IndexSpec{
		Paths: []index.IndexedPath{
			{Path: "name"}, {Path: "size"}, {Path: "mime", Counted: true},
			{Path: mediaTypesPath, List: true, Counted: true},
			{Path: "created_at"}, {Path: "folder", Counted: true},
			{Path: tagPath, List: true, Counted: true},
		},
		Order:  []query.SortField{{Path: "created_at", Desc: true}},
		Values: func(doc any, path string) []query.Value { return doc.(*Asset).valuesAt(path) },
	}
}

// valuesAt returns the values by which a file is listed. The value of a folder is its id.
func (m *Asset) valuesAt(path string) []query.Value {
	text := func(s string) []query.Value { return []query.Value{{Kind: cms.ValueText, Text: s}} }
	switch path {
	case "id":
		return text(m.ID)
	case "name":
		return text(m.Name)
	case "mime":
		return text(m.Mime)
	case mediaTypesPath:
		family, _, _ := strings.Cut(m.Mime, "/")
		return append(text(m.Mime), text(family+"/*")...)
	case "alt":
		return text(m.Alt)
	case "folder":
		return text(m.FolderID)
	case tagPath:
		var tags []query.Value
		for _, tag := range m.Tags {
			tags = append(tags, query.Value{Kind: cms.ValueText, Text: tag})
		}
		return tags
	case "size":
		size, _ := query.ParseDecimal(strconv.FormatInt(m.Size, 10))
		return []query.Value{{Kind: cms.ValueNumber, Number: size}}
	case "created_at":
		return []query.Value{{Kind: cms.ValueTime, Time: m.CreatedAt.Time}}
	}
	return nil
}

// mediaFiles is the collection of all media files.
func mediaFiles() *index.Collection {
	return &index.Collection{
		Spec:   mediaSpec(),
		Key:    func(id uuid.UUID) table.Key { return mediaKey(id.String()) },
		Decode: func(item *table.Item) (any, error) { return decodeMedia(item) },
		Space:  func(any) string { return MediaSpace },
		Lookup: func(path string) (cms.PathInfo, bool) {
			if path == mediaTypesPath || path == mediaWordsPath {
				return cms.PathInfo{Kind: cms.ValueText, List: true}, true
			}
			return mediaLookup(path)
		},
		Fixed:  func(string, string) (string, bool) { return "", false },
		Joined: map[string][]string{mediaWordsPath: {"name", tagPath}},
	}
}

// PutMedia creates a media file, or changes one that was read before. shown means that published answers show the
// change.
func PutMedia(t *db.Tx, m Asset, shown bool) {
	spec := mediaSpec()
	now := spec.Index(MediaSpace, &m)
	item := table.Item{Key: mediaKey(m.ID), Body: db.PackBytes(db.MustMarshal(storedMedia{&m, now}))}
	if t.Save(item, m.version); m.version == 0 {
		fileAdded(t, m.ID)
	} else {
		fileChanged(t, m.ID, shown)
	}
	index.Reindex(t, m.index, &now, uuid.MustParse(m.ID), m.version+1, spec.Scalars(&m))
}

// DeleteMedia deletes the record of a media file. Use RemoveObject for its object.
func DeleteMedia(t *db.Tx, m *Asset) {
	t.Remove(mediaKey(m.ID), m.version)
	index.Reindex(t, m.index, nil, uuid.MustParse(m.ID), m.version, nil)
	contentChanged(t, m.ID)
}

// Media reads a media file; ErrNotFound if there is none.
func (s *Store) Media(ctx context.Context, id string) (*Asset, error) {
	item, err := s.Get(ctx, mediaKey(id))
	if err != nil {
		return nil, err
	}
	return decodeMedia(item)
}

// MediaByID reads media files in one round trip. It leaves out those that do not exist.
func (s *Store) MediaByID(ctx context.Context, ids ...string) (map[string]*Asset, error) {
	found := map[string]*Asset{}
	if len(ids) == 0 {
		return found, nil
	}
	items, err := s.Table.Get(ctx, table.Strong, slice.Map(slice.Distinct(ids), mediaKey)...)
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

// MediaFiles lists media files, newest first if q has no sort. The values of filters on folder are
// ids.
func (s *Store) MediaFiles(ctx context.Context, q index.ListQuery) (db.Page[*Asset], error) {
	page := db.Page[*Asset]{Paging: q.Paging, Items: []*Asset{}}
	records, err := index.List(ctx, s.DB, mediaFiles(), []string{MediaSpace}, q)
	if err != nil {
		return page, err
	}
	page.Total, page.Estimate, page.Next = records.Total, records.Estimate, records.Next
	for _, r := range records.Items {
		m, err := decodeMedia(r.Item)
		if err != nil {
			return page, err
		}
		page.Items = append(page.Items, m)
	}
	return page, nil
}
