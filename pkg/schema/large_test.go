package schema_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/must"
	"headless/pkg/redirects"
	"headless/pkg/rooms"
	"headless/pkg/schema"
	"headless/pkg/site"
	"headless/pkg/table"
	"headless/pkg/table/sim"
)

var admin = cms.Actor{Name: "ada@example.com", Source: cms.SourceAdmin, UserID: "ada"}

// service is a site whose table may fail.
type service struct {
	t *testing.T
	*schema.Schemas
	fault func(table.Call) table.Fault
}

func newService(t *testing.T) *service {
	t.Helper()
	s := &service{t: t}
	policy := func(c table.Call) table.Fault {
		if s.fault == nil {
			return table.Fault{}
		}
		return s.fault(c)
	}
	st := rooms.New(table.NewFaulty(sim.New(sim.Options{}), policy), time.Now)
	locales := &site.Locales{Store: st.Site}
	s.Schemas = &schema.Schemas{Store: st, Locales: locales,
		Models:    &site.Models{Store: st.Site},
		Redirects: &redirects.Redirects{Store: st.Redirects}}
	must.Do(s.t, locales.EnsureDefault(t.Context()))
	return s
}

// planned returns the plan of a schema, which has n changes.
func (s *service) planned(body map[string]any, n int) schema.Plan {
	s.t.Helper()
	plan, err := s.Plan(s.t.Context(), body)
	must.Do(s.t, err)
	if len(plan.Changes) != n {
		s.t.Fatalf("%d changes, want %d", len(plan.Changes), n)
	}
	return plan
}

func (s *service) apply(body map[string]any, plan schema.Plan) error {
	_, err := s.Apply(s.t.Context(), admin, body, plan.ID, []string{"loses_data"}, nil)
	return err
}

// document returns a schema of models that relate to one another, forms and redirects.
func document(models, forms, redirects int, word string) map[string]any {
	parts := map[string][]any{}
	for i := range models {
		fields := []any{map[string]any{"name": "body", "type": "text"}}
		if i > 0 {
			fields = append(fields, map[string]any{"name": "next", "type": "relation", "model": fmt.Sprintf("m%d", i-1)})
		}
		parts["models"] = append(parts["models"],
			map[string]any{"slug": fmt.Sprintf("m%d", i), "name": word, "fields": fields})
	}
	for i := range forms {
		parts["forms"] = append(parts["forms"], map[string]any{"slug": fmt.Sprintf("f%d", i), "name": word,
			"fields": []any{map[string]any{"name": "a", "type": "text", "label": "A"}}})
	}
	for i := range redirects {
		parts["redirects"] = append(parts["redirects"],
			map[string]any{"from": fmt.Sprintf("/old/%d", i), "to": "/" + word})
	}
	body := map[string]any{}
	for kind, list := range parts {
		body[kind] = list
	}
	return body
}

// TestAnySize applies large schemas to a new site and to one that has their parts.
func TestAnySize(t *testing.T) {
	for _, n := range []int{60, 1000} {
		s := newService(t)
		for _, word := range []string{"one", "two"} {
			body := document(90, 10, n, word)
			must.Do(s.t, s.apply(body, s.planned(body, 100+n)))
			s.planned(body, 0)
			events, err := s.Store.Outbox(t.Context(), 1000)
			must.Do(s.t, err)
			kinds := map[string]int{}
			for _, row := range events {
				pending, err := db.DecodePendingEvents(row)
				must.Do(s.t, err)
				for _, e := range pending.Events {
					kinds[e.Kind]++
				}
				must.Do(s.t, s.Store.DropEvents(t.Context(), row.Key))
			}
			if kinds[cms.EventSchemaUpdated] != 1 || kinds[cms.EventRedirectsUpdated] != 1 {
				t.Errorf("%d redirects: events %v", n, kinds)
			}
		}
		var gone []any
		for i := range n {
			gone = append(gone, fmt.Sprintf("/old/%d", i))
		}
		body := map[string]any{"deletes": map[string]any{"redirects": gone}}
		must.Do(s.t, s.apply(body, s.planned(body, n)))
		s.planned(body, 0)
	}
}

// writes returns a policy with a fault at the nth write that changes the site or a redirect.
func writes(nth int, fault table.Fault) func(table.Call) table.Fault {
	n := 0
	return func(c table.Call) table.Fault {
		if c.Method != "Write" || len(c.Ops) < 10 {
			return table.Fault{}
		}
		if n++; n != nth {
			return table.Fault{}
		}
		return fault
	}
}

// TestStopped lets each transaction of a large schema fail. The answer says how much was applied,
// and a new plan has the rest.
func TestStopped(t *testing.T) {
	for nth := 1; ; nth++ {
		s := newService(t)
		was, body := document(30, 0, 100, "one"), document(30, 2, 100, "two")
		must.Do(s.t, s.apply(was, s.planned(was, 130)))
		plan := s.planned(body, 132)
		s.fault = writes(nth, table.Fault{Kind: table.Throttled})
		err := s.apply(body, plan)
		s.fault = nil
		if err == nil {
			if nth < 4 {
				t.Errorf("it took %d transactions", nth-1)
			}
			s.planned(body, 0)
			return
		}
		left, planErr := s.Plan(t.Context(), body)
		must.Do(s.t, planErr)
		told := fmt.Sprintf("%d of 132 changes were made", 132-len(left.Changes))
		if len(left.Changes) < 132 && !strings.Contains(err.Error(), told) {
			t.Errorf("transaction %d: %v, want %q", nth, err, told)
		}
		must.Do(s.t, s.apply(body, left))
		s.planned(body, 0)
	}
}

// TestOvertaken lets others change the site between the transactions of a large schema. What was
// approved is finished. What was not is left, and the answer says so.
func TestOvertaken(t *testing.T) {
	for slug, finished := range map[string]bool{"m89": true, "same": false} {
		s := newService(t)
		was, body := document(90, 0, 0, "one"), document(90, 0, 0, "two")
		was["models"].([]any)[0].(map[string]any)["slug"] = "n0"
		was["models"].([]any)[1].(map[string]any)["fields"].([]any)[1].(map[string]any)["model"] = "n0"
		body["renames"] = []any{map[string]any{"from": "n0", "to": "m0"}}
		for _, b := range []map[string]any{was, body} {
			b["models"] = append(b["models"].([]any), map[string]any{"slug": "same", "name": "one"})
		}
		must.Do(s.t, s.apply(was, s.planned(was, 91)))
		plan := s.planned(body, 91) // m0 has another slug and another name
		s.fault = writes(2, table.Fault{Before: func() {
			s.fault = nil
			_, err := s.Models.Update(t.Context(), admin, slug, map[string]any{"name": "three"}, nil)
			must.Do(s.t, err)
		}})
		err := s.apply(body, plan)
		delete(body, "renames")
		if finished {
			must.Do(s.t, err)
			s.planned(body, 0)
			continue
		}
		if err == nil || !strings.Contains(err.Error(), "of 91 changes were made") ||
			!strings.Contains(err.Error(), "models.same was changed by others") {
			t.Errorf("got %v", err)
		}
	}
}
