package mcp

import (
	"context"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/health"
)

// getHealth lists findings of content health, which the API does not have.
func (s *session) getHealth(_ context.Context, args map[string]any) ([]byte, error) {
	var f health.Filter
	if kind, _ := args["kind"].(string); kind != "" {
		f.Kinds = []health.Kind{health.Kind(kind)}
	}
	if model, _ := args["model"].(string); model != "" {
		f.Models = []string{model}
	}
	if locale, _ := args["locale"].(string); locale != "" {
		f.Locales = []string{locale}
	}
	limit := int64(50)
	if n, ok := cms.WholeNumber(args["per_page"]); ok {
		limit = n
	}
	cursor, _ := args["cursor"].(string)
	checks := health.Checks{Store: s.h.Comments.Entries.Store}
	list, err := checks.List(s.call.Context(), f, db.Paging{Page: 1, PerPage: int(min(max(limit, 1), 100))}, cursor)
	if err != nil {
		return nil, &refusal{string(s.call.ErrorJSON(err))}
	}
	return cms.Marshal(map[string]any{"data": list.Items, "meta": map[string]any{"total": list.Total,
		"counts": list.Counts, "next_cursor": list.Next}})
}
