package content

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/must"
)

// TestDeepPages compares pages far behind, which are read from the end of the list, with a walk by
// cursor.
func TestDeepPages(t *testing.T) {
	ctx := context.Background()
	s, m := testStore(t), oracleModel()
	for i := range 1300 {
		e := &cms.Entry{ID: uuid.NewString(), Title: fmt.Sprintf("title %d", i), Locale: "en",
			Status: cms.StatusPublished, Version: 1,
			Slug: fmt.Sprintf("s-%d", i), CreatedAt: cms.At(time.Unix(int64(i), 0)),
			Data: map[string]any{"color": []string{"red", "blue"}[i%8/7]}}
		tx := s.Begin()
		SaveEntry(tx, m, nil, e, cms.Actor{}, "entry.created")
		must.Do(t, s.Commit(ctx, tx))
	}
	red := []query.Filter{{Path: "data.color", Op: query.OpEq, Values: []string{"red"}}}
	for _, q := range []index.ListQuery{{}, {Filters: red},
		{Sort: []query.SortField{{Path: "title", Desc: true}}},
		{Sort: []query.SortField{{Path: "data.flag"}}}} {
		var walked, paged []string
		q.Paging = db.Paging{Page: 1, PerPage: 90}
		for n := 1; n < 20; n++ {
			byPage, byCursor := q, q
			byPage.Page, byPage.Cursor = n, ""
			p, err := s.Entries(ctx, m, []string{"en"}, []cms.Status{cms.StatusPublished}, byPage)
			must.Do(t, err)
			c, err := s.Entries(ctx, m, []string{"en"}, []cms.Status{cms.StatusPublished}, byCursor)
			must.Do(t, err)
			paged, walked = append(paged, titles(t, p)...), append(walked, titles(t, c)...)
			if p.Next != c.Next {
				t.Errorf("page %d: other cursor", n)
			}
			if q.Cursor = c.Next; q.Cursor == "" {
				break
			}
		}
		if fmt.Sprint(paged) != fmt.Sprint(walked) || len(walked) < 1000 {
			t.Errorf("filters %v, sort %v: pages give %d, the cursor %d, or another order",
				q.Filters, q.Sort, len(paged), len(walked))
		}
	}
}

func titles(t *testing.T, p db.Page[EntryItem]) []string {
	t.Helper()
	var list []string
	for i := range p.Items {
		e, err := p.Items[i].Decoded()
		must.Do(t, err)
		list = append(list, e.Title)
	}
	return list
}
