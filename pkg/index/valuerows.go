package index

import (
	"context"
	"encoding/base64"
	"slices"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index/sortkey"
)

// valuesAtOnce is how many values RowsAt reads together.
const valuesAtOnce = 50

// RowsAt reads the rows of some spaces at an indexed path: those with one of some values or, if values
// is nil, all. It stops after limit+1 rows. It does not read documents.
func RowsAt(ctx context.Context, s *db.DB, c *Collection, spaces []string, path string,
	values []query.Value, limit int) ([]*Record, error) {
	from := source{t: s.Table, chunk: min(limit+1, maxChunk)}
	if values == nil {
		m := &merged{}
		for _, space := range spaces {
			m.streams = append(m.streams, from.stream(space, path, "", ""))
		}
		records, err := takeRecords(ctx, m.nextRecord, nil, limit+1)
		return newestEach(records), err
	}
	var records []*Record
	for part := range slices.Chunk(values, valuesAtOnce) {
		m := &merged{}
		for _, space := range spaces {
			for _, v := range part {
				prefix := string(sortkey.Encode(v))
				m.streams = append(m.streams, from.stream(space, path, prefix, sortkey.After(prefix)))
			}
		}
		var err error
		if records, err = takeRecords(ctx, m.nextRecord, records, limit+1); err != nil || len(records) > limit {
			return records, err
		}
	}
	return newestEach(records), nil
}

// RowsAfter reads up to most rows of some spaces with a value at an indexed path, in the default order. It begins after
// the rows before next was returned, "" for the first. It does not read documents. Error: BAD_REQUEST.
func RowsAfter(ctx context.Context, s *db.DB, c *Collection, spaces []string, path string, v query.Value, after string,
	most int) (records []*Record, next string, err error) {
	prefix := string(sortkey.Encode(v))
	begin := prefix
	if after != "" {
		row, err := base64.RawURLEncoding.DecodeString(after)
		if err != nil {
			return nil, "", cms.Errorf(cms.CodeBadRequest, "This is not the address of a page of the list.")
		}
		begin += string(row) + "\x00"
	}
	from, m := source{t: s.Table, chunk: min(most+1, maxChunk)}, &merged{}
	for _, space := range spaces {
		m.streams = append(m.streams, from.stream(space, path, begin, sortkey.After(prefix)))
	}
	if records, err = takeRecords(ctx, m.nextRecord, nil, most+1); len(records) > most {
		records = records[:most]
		next = base64.RawURLEncoding.EncodeToString([]byte(records[most-1].row[len(prefix):]))
	}
	return newestEach(records), next, err
}

// RowValue returns the value at a path that the row of a record holds; ok is false if the row does not
// hold it.
func (c *Collection) RowValue(r *Record, path string) (v query.Value, ok bool) {
	values, ok := c.Spec.inRow(r, path)
	return firstOf(values), ok
}
