package delivery

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/pkg/table"
)

// replica is a copy of the published entries that a client keeps by sync.
type replica struct {
	token   string
	entries map[string]string // as JSON, by id
}

func (r replica) clone() replica { return replica{r.token, maps.Clone(r.entries)} }

// follow replays a sync from the token of the replica to its end.
func (r *replica) follow(t *testing.T, p process, base string) {
	t.Helper()
	for range 1000 {
		address := base + "/sync?per_page=7"
		if r.token != "" {
			address = base + "/sync?token=" + r.token
		}
		answer := get(p.origin, address)
		var page struct {
			Data []struct {
				Op, ID string
				Entry  json.RawMessage
			}
			Meta struct {
				NextToken string `json:"next_token"`
				Complete  bool
			}
		}
		if err := json.Unmarshal(answer.Body.Bytes(), &page); err != nil || answer.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", address, answer.Code, answer.Body)
		}
		for _, op := range page.Data {
			if op.Op == "delete" {
				delete(r.entries, op.ID)
				continue
			}
			var e struct{ ID string }
			must.Do(t, json.Unmarshal(op.Entry, &e))
			r.entries[e.ID] = string(op.Entry)
		}
		if r.token = page.Meta.NextToken; page.Meta.Complete {
			return
		}
	}
	t.Fatal("the sync does not end")
}

// published lists the entries that the API shows.
func published(t *testing.T, p process, base string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, model := range []string{"/authors", "/posts"} {
		var list struct {
			Data []json.RawMessage
			Meta struct{ Total int }
		}
		answer := get(p.origin, base+model+"?per_page=100")
		if err := json.Unmarshal(answer.Body.Bytes(), &list); err != nil ||
			answer.Code != http.StatusOK || list.Meta.Total != len(list.Data) {
			t.Fatalf("%s: %d %s", model, answer.Code, answer.Body)
		}
		for _, raw := range list.Data {
			var e struct{ ID string }
			must.Do(t, json.Unmarshal(raw, &e))
			all[e.ID] = string(raw)
		}
	}
	return all
}

// TestSyncReplaysAfterKills makes random changes and ends the process at random calls of them. A
// replica that goes on from any of its former tokens then equals the list.
func TestSyncReplaysAfterKills(t *testing.T) {
	const operations = 600
	w := newWorld(t)
	inner, ids := w.stores.Table, w.createSome(t)
	random := rand.New(rand.NewPCG(17, 3))
	former := []replica{{entries: map[string]string{}}}
	kills := 0
	for step := range operations {
		at := 1 + random.IntN(30)
		dying := startProcess(table.NewFaulty(inner, func(c table.Call) table.Fault {
			if c.N != at || at > 12 {
				return table.Fault{}
			}
			kills++
			return table.Fault{Kind: []table.FaultKind{table.CrashBefore, table.CrashAfter}[step%2]}
		}), time.Now)
		randomChange(t.Context(), random, dying.entries, ids, step)
		if step%10 != 9 {
			continue
		}
		live := startProcess(inner, time.Now)
		r := former[random.IntN(len(former))].clone()
		r.follow(t, live, w.base)
		if want := published(t, live, w.base); !maps.Equal(r.entries, want) {
			t.Fatalf("after %d operations the replica has\n%v\nthe list\n%v", step+1, r.entries, want)
		}
		former = append(former, r)
	}
	if kills < 50 {
		t.Errorf("only %d kills", kills)
	}
}
