package e2e

import (
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// loadClients ask at a time.
const loadClients = 8

// TestLoad sends E2E_LOAD requests and demands that all are answered as they should be. It prints
// how long they took; it fails for none, since a stage has no promised times.
func TestLoad(t *testing.T) {
	total, _ := strconv.Atoi(os.Getenv("E2E_LOAD"))
	if total == 0 || afterUpgrade() {
		t.Skip("E2E_LOAD says how many requests to send")
	}
	w := newWorkspace(t)
	entry := w.create(t, "Load")
	paths := []string{w.path + "/" + entry, w.path + "?per_page=20", w.path + "?q=load", "/api/v1/settings"}
	var (
		mu       sync.Mutex
		times    []time.Duration
		statuses = map[int]int{}
		clients  sync.WaitGroup
		work     = make(chan string)
	)
	began := time.Now()
	for range loadClients {
		clients.Go(func() {
			for path := range work {
				start := time.Now()
				status, err := ask(path, w.headers)
				mu.Lock()
				times = append(times, time.Since(start))
				if statuses[status]++; err != nil {
					t.Error(err)
				}
				mu.Unlock()
			}
		})
	}
	for i := range total {
		work <- paths[i%len(paths)]
	}
	close(work)
	clients.Wait()
	slices.Sort(times)
	at := func(share float64) time.Duration { return times[int(share*float64(total-1))].Round(time.Millisecond) }
	t.Logf("%d requests by %d clients in %s: median %s, p95 %s, p99 %s, slowest %s", total,
		loadClients, time.Since(began).Round(time.Millisecond), at(.5), at(.95), at(.99), at(1))
	if statuses[http.StatusOK] != total {
		t.Errorf("answers by status: %v", statuses)
	}
}

func ask(path string, headers map[string]string) (status int, err error) {
	req, err := http.NewRequest(http.MethodGet, os.Getenv("E2E_BASE_URL")+path, nil)
	if err != nil {
		return 0, err
	}
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}
