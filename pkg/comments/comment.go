package comments

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/rights"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/tasks"
)

// Limits of comments.
const (
	MaxOfEntry  = 1000 // comments on an entry
	maxField    = 200  // characters
	maxQuote    = 1000
	maxText     = 5000
	maxMentions = 20 // in a comment; further ones are text
	maxWaiting  = 60 // tasks of a thread; further mentions are text
)

// Comment is a comment as shown. Text and Author are nil if it is deleted and has replies.
type Comment struct {
	ID         string      `json:"id"`
	Field      *string     `json:"field"` // dotted path, which may be gone
	Quote      *string     `json:"quote"` // the passage that it is about
	Text       *string     `json:"text"`
	Parent     *string     `json:"parent"` // id of the first comment of the thread
	Author     *cms.Person `json:"author"`
	Assignee   *cms.Person `json:"assignee"`
	Due        *string     `json:"due"`
	Resolved   bool        `json:"resolved"`
	ResolvedBy *cms.Person `json:"resolved_by"`
	CreatedAt  cms.Time    `json:"created_at"`
	EditedAt   *cms.Time   `json:"edited_at"`
}

// stored is the row of a comment.
type stored struct {
	ID         string    `json:"id"`
	Field      *string   `json:"field,omitempty"`
	Quote      *string   `json:"quote,omitempty"`
	Text       *string   `json:"text"`
	Parent     string    `json:"parent,omitempty"`
	Author     string    `json:"author"` // id; "" if deleted
	Email      string    `json:"email"`  // of the author, as in the index of authors
	Assignee   string    `json:"assignee,omitempty"`
	Due        *string   `json:"due,omitempty"`
	Resolved   bool      `json:"resolved,omitempty"`
	ResolvedBy string    `json:"resolved_by,omitempty"`
	CreatedAt  cms.Time  `json:"created_at"`
	EditedAt   *cms.Time `json:"edited_at,omitempty"`
	Replies    int       `json:"replies,omitempty"` // of a first comment
	Waiting    []waiting `json:"waiting,omitempty"` // of a first comment: the tasks of its thread
	Gen        int       `json:"gen,omitempty"`     // of the model whose names Field has

	version int64
}

// waiting is a user for whom a thread waits until it is resolved.
type waiting struct {
	User string     `json:"user"`
	Task tasks.Task `json:"task"`
	Kind tasks.Kind `json:"kind"`
}

// decodeComment reads a stored comment, with the present names in its field unless m is nil.
func decodeComment(m *site.Model, item *table.Item) (*stored, error) {
	c := &stored{version: item.Version}
	err := db.Unpack(item.Body, c)
	for i := range c.Waiting {
		c.Waiting[i].Task.Kind = c.Waiting[i].Kind
	}
	if m != nil {
		c.Field, c.Gen = m.PathSince(c.Gen, c.Field), m.Gen
	}
	return c, err
}

// names looks people up by id, each once.
type names struct {
	db    *db.DB
	known map[string]cms.Person
}

func (n names) nameOf(ctx context.Context, id string) (*cms.Person, error) {
	if id == "" {
		return nil, nil
	}
	p, ok := n.known[id]
	if !ok {
		var err error
		if p, err = rights.Person(ctx, n.db, id); err != nil {
			return nil, err
		}
		n.known[id] = p
	}
	return &p, nil
}

func (c *stored) show(ctx context.Context, n names) (Comment, error) {
	v := Comment{ID: c.ID, Field: c.Field, Quote: c.Quote, Text: c.Text, Due: c.Due, Resolved: c.Resolved,
		CreatedAt: c.CreatedAt, EditedAt: c.EditedAt}
	if c.Parent != "" {
		v.Parent = &c.Parent
	}
	var err error
	for _, p := range []struct {
		id   string
		into **cms.Person
	}{{c.Author, &v.Author}, {c.Assignee, &v.Assignee}, {c.ResolvedBy, &v.ResolvedBy}} {
		if err == nil {
			*p.into, err = n.nameOf(ctx, p.id)
		}
	}
	return v, err
}

// putIn stores a comment, which must be as it was read.
func (c *stored) putIn(tx *db.Tx, modelID, entryID string) {
	item := table.Item{Key: content.CommentKey(modelID, entryID, c.ID), Body: db.Pack(c)}
	tx.Save(item, c.version)
}

var mention = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`@([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})\b`)
})

// ReplaceMentions puts names in place of the ids of the users in a text. The ids are in lower case.
func ReplaceMentions(text string, name func(id string) string) string {
	return mention().ReplaceAllStringFunc(text, func(found string) string {
		return "@" + name(strings.ToLower(found[1:]))
	})
}

// mentionsIn returns the ids of the users in a text.
func mentionsIn(text *string) (ids []string) {
	if text == nil {
		return nil
	}
	for _, found := range mention().FindAllStringSubmatch(*text, maxMentions) {
		if id := strings.ToLower(found[1]); !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
