package comments

import (
	"context"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/slice"
	"headless/pkg/table"
)

// Authored is a comment by a person.
type Authored struct {
	ID        string   `json:"id"`
	Model     string   `json:"model"` // slug; "" if the model is gone
	Entry     string   `json:"entry"` // id
	Field     *string  `json:"field"`
	Text      *string  `json:"text"`
	CreatedAt cms.Time `json:"created_at"`
}

// maxAuthored is how many comments By lists.
const maxAuthored = 1000

// By lists comments that were written under an e-mail address, at most 1,000.
func (s *Comments) By(ctx context.Context, email string) ([]Authored, error) {
	list := []Authored{}
	now, err := s.Entries.Store.Site(ctx)
	if err != nil {
		return list, err
	}
	rows, err := s.db().Table.Query(ctx, table.Range{Partition: authorPartition(email), Limit: maxAuthored})
	if err != nil {
		return list, err
	}
	keys := slice.Map(rows, func(row table.Item) table.Key { return content.CommentKey(placeOf(row)) })
	items, err := s.db().Table.Get(ctx, table.Strong, keys...)
	for i, item := range items {
		if item == nil {
			continue // ended with its entry
		}
		modelID, entryID, _ := placeOf(rows[i])
		m := now.ModelByID(modelID)
		c, err := decodeComment(m, item)
		if err != nil {
			return list, err
		}
		v := Authored{ID: c.ID, Entry: entryID, Field: c.Field, Text: c.Text, CreatedAt: c.CreatedAt}
		if m != nil {
			v.Model = m.Slug
		}
		list = append(list, v)
	}
	return list, err
}

// placeOf returns the parts of a key made by authorKey.
func placeOf(row table.Item) (modelID, entryID, id string) {
	modelID, rest, _ := strings.Cut(row.Sort, "/")
	entryID, id, _ = strings.Cut(rest, "/")
	return modelID, entryID, id
}

// Erase takes the author from the comments that were written under an e-mail address.
func (s *Comments) Erase(ctx context.Context, email string) error {
	return s.db().Retry(ctx, func() error {
		for {
			rows, err := s.db().Table.Query(ctx, table.Range{Partition: authorPartition(email), Limit: maxAuthored})
			if err != nil || len(rows) == 0 {
				return err
			}
			for _, row := range rows {
				if err := s.eraseAuthor(ctx, row); err != nil {
					return err
				}
			}
		}
	})
}

// eraseAuthor takes the author from the comment of a row by author.
func (s *Comments) eraseAuthor(ctx context.Context, row table.Item) error {
	modelID, entryID, id := placeOf(row)
	items, err := s.db().Table.Get(ctx, table.Strong, content.CommentKey(modelID, entryID, id))
	if err != nil {
		return err
	}
	tx := s.db().Begin()
	tx.Delete(row.Key)
	if items[0] != nil {
		c, err := decodeComment(nil, items[0])
		if err != nil {
			return err
		}
		c.Author, c.Email = "", ""
		c.putIn(tx, modelID, entryID)
	}
	return s.db().Commit(ctx, tx)
}
