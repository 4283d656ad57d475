package translations

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/google/uuid"

	"headless/pkg/approval"
	"headless/pkg/cms"
	"headless/pkg/cms/query"
	"headless/pkg/content"
	"headless/pkg/site"
)

// Choice holds the filters and the search text of an editor's list. The zero value selects all
// entries.
type Choice struct {
	Filters []query.Filter `json:"filters,omitempty"`
	Q       string         `json:"q,omitempty"` // search text
}

// Query returns the query of a choice, over all statuses and locales. Errors: BAD_REQUEST, and
// those of Choose.
func (c Choice) Query(ctx context.Context, s *content.Store, now *site.Site,
	m *site.Model) (content.EntryQuery, error) {
	q := content.EntryQuery{Statuses: cms.Statuses, Locales: now.Codes(), Q: c.Q}
	known := m.WithDrafts()
	var groups Filter
	for _, f := range c.Filters {
		if err := groups.addTo(&q, now, known, f); err != nil {
			return q, err
		}
	}
	if groups.Review != nil {
		ids, err := approval.Entries(ctx, s.DB, m, groups.Review)
		if err != nil {
			return q, err
		}
		q.Filters = append(q.Filters, query.Filter{Path: "id", Op: query.OpIn, Values: append(ids, uuid.Nil.String())})
	}
	if groups.None() {
		return q, nil
	}
	err := Choose(ctx, s, now, m, &q, groups)
	return q, err
}

// DecodeChoice decodes a choice from an object such as {"status": "draft", "data.price": {"gt": 5},
// "q": "lamp"}. It adds problems to p under "filter". If m is nil, the filters cannot be checked
// and are left out.
func DecodeChoice(p cms.Problems, now *site.Site, m *site.Model, v any) (c Choice) {
	object, ok := v.(map[string]any)
	if !ok {
		p.Add("filter", "must be an object")
		return c
	}
	filters := maps.Clone(object)
	delete(filters, "q")
	if text, isText := object["q"].(string); isText {
		c.Q = text
	} else if _, searched := object["q"]; searched {
		p.Add("filter", "q must be a string")
	}
	params := query.FilterParams(filters)
	var refused *cms.Error
	if errors.As(query.CheckLength(params), &refused) {
		p.Add("filter", "%s", refused.Message)
		return c
	}
	for _, name := range slices.Sorted(maps.Keys(params)) {
		f, err := query.ParseFilter(name, params.Get(name))
		if err == nil && m != nil {
			err = CheckFilter(now, m, f)
		}
		switch {
		case errors.As(err, &refused):
			p.Add("filter", "%s", refused.Message)
		case m != nil:
			c.Filters = append(c.Filters, f)
		}
	}
	return c
}

// CheckFilter returns BAD_REQUEST for a filter that editors' lists do not support.
func CheckFilter(now *site.Site, m *site.Model, f query.Filter) error {
	return new(Filter).addTo(&content.EntryQuery{}, now, m.WithDrafts(), f)
}

// addTo adds one filter: a filter on translations to f, others to q. Filters on status and locale
// reduce the statuses and locales that are read; "any" and "" do not.
func (f *Filter) addTo(q *content.EntryQuery, now *site.Site, m *cms.Model, by query.Filter) error {
	if by.Path == "missing" || by.Path == "outdated" || by.Path == "review" {
		return f.takeFilter(now, by)
	}
	if err := query.ValidateFilter(m, by); err != nil {
		return err
	}
	open := len(by.Values) == 1 && (by.Values[0] == "" || by.Values[0] == "any")
	switch {
	case by.Path == "status" && !open:
		q.Statuses = query.Accepted(q.Statuses, by)
	case by.Path == "locale" && !open:
		q.Locales = query.Accepted(q.Locales, by)
		if !m.Localized { // entries of all locales share one space
			q.Filters = append(q.Filters, by)
		}
	case by.Path != "status" && by.Path != "locale":
		q.Filters = append(q.Filters, by)
	}
	return nil
}

// Locales returns the locales whose entries a list with some filters can show. Those of a model that is not localized
// are in the default locale.
func Locales(now *site.Site, m *site.Model, filters []query.Filter) []string {
	q := content.EntryQuery{Locales: now.Codes()}
	if !m.Localized {
		q.Locales = []string{now.Default}
	}
	for _, f := range filters {
		if f.Path == "locale" && new(Filter).addTo(&q, now, &m.Model, f) != nil {
			return nil
		}
	}
	return q.Locales
}

// reviewStates are the values of filter[review].
var reviewStates = []string{approval.Requested, approval.Approved, approval.Returned}

// takeFilter adds filter[missing], filter[outdated] or filter[review]; "" is ignored.
func (f *Filter) takeFilter(now *site.Site, by query.Filter) error {
	if by.Op != query.OpEq && (by.Path == "outdated" || by.Op != query.OpIn) {
		return cms.Errorf(cms.CodeBadRequest, "The filter %q does not take the operator %q.", by.Path, string(by.Op))
	}
	for _, value := range by.Values {
		switch {
		case value == "":
		case by.Path == "review":
			if !slices.Contains(reviewStates, value) {
				return cms.UnknownName("state of a review", value, reviewStates...)
			}
			f.Review = append(f.Review, value)
		case by.Path == "outdated":
			if value != "true" && value != "false" {
				return cms.Errorf(cms.CodeBadRequest, "The filter %q takes true or false, not %q.",
					by.Path, cms.Shorten(value))
			}
			outdated := value == "true"
			f.Outdated = &outdated
		case now.Locale(value) == nil:
			return cms.UnknownName("locale", value, now.Codes()...)
		default:
			f.Missing = append(f.Missing, value)
		}
	}
	return nil
}
