package app_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/table"
)

// tellsNews holds every change of a table to the rule of extensions §16: what purges cached answers
// raises an event, so that static sites learn of it.
func tellsNews(t *testing.T) func(table.Table) table.Table {
	return func(inner table.Table) table.Table {
		return watchedTable{inner, func(ops []table.Op) {
			if reason := silent(ops); reason != "" {
				t.Errorf("a change %s, and raises no event:\n%s", reason, keysOf(ops))
			}
		}}
	}
}

// watchedTable calls a function with the operations of each write that was committed.
type watchedTable struct {
	table.Table
	committed func(ops []table.Op)
}

func (w watchedTable) Write(ctx context.Context, ops []table.Op) error {
	err := w.Table.Write(ctx, ops)
	if err == nil {
		w.committed(ops)
	}
	return err
}

// silent names the tags that a change purges without an event; "" if it raises one or needs none. A
// change that leaves no record of activity is a step of another one, which raised the event: the
// end of a swap of content, for example, or room that is made beside an entry that moved.
func silent(ops []table.Op) string {
	var purge db.Purge
	recorded := false
	for _, op := range ops {
		switch p := op.Item.Partition; {
		case op.Kind != table.Put:
		case strings.HasPrefix(p, db.PurgePrefix):
			if err := json.Unmarshal(op.Item.Body, &purge); err != nil {
				return err.Error()
			}
		case strings.HasPrefix(p, db.OutboxPrefix):
			return ""
		case strings.HasPrefix(p, db.ActivityPrefix):
			recorded = true
		}
	}
	tags := slices.DeleteFunc(purge.Tags, func(tag string) bool {
		return strings.HasPrefix(tag, cms.TagKey("")) // the rights of a key are no news of content
	})
	if purge.ID == "" || !recorded || purge.Asked || len(tags) == 0 || isRedirectOfMany(ops, tags) {
		return ""
	}
	return "purges " + strings.Join(tags, ", ")
}

// isRedirectOfMany reports whether a change is one of the redirects of a CSV file, whose event
// follows when all of them are stored.
func isRedirectOfMany(ops []table.Op, tags []string) bool {
	return slices.Equal(tags, []string{cms.TagPaths}) &&
		slices.ContainsFunc(ops, func(op table.Op) bool { return op.Item.Partition == "D#redirect" })
}

func keysOf(ops []table.Op) string {
	keys := make([]string, len(ops))
	for i, op := range ops {
		keys[i] = op.Item.Partition + " " + op.Item.Sort
	}
	return strings.Join(keys, "\n")
}
