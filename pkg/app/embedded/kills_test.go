package embedded

import (
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"testing"
	"time"

	"headless/pkg/app"
	"headless/pkg/must"
)

// killsChild makes a copy of the test process the server of TestKills.
const killsChild = "KILLS_CHILD"

const (
	killsEmail    = "root@example.com"
	killsPassword = "a long enough password"
	// For what happens behind the answers, and twice as long as the load took.
	killsWait = 3 * time.Minute
)

// TestKills lets clients write while the process is killed again and again. Then everything that
// was confirmed must be there as confirmed, and nothing else: entries, totals, search, files,
// submissions, mails and webhooks. Longer and harder, on a built server:
//
//	KILLS_FOR=5m KILLS_SERVER=$PWD/.build/dev go test -run TestKills -timeout 30m ./pkg/app/embedded
func TestKills(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds; make check leaves it out")
	}
	if os.Getenv(killsChild) != "" {
		serveForKills(t)
		return
	}
	span, clients := 6*time.Second, 12
	if s := os.Getenv("KILLS_FOR"); s != "" {
		var err error
		if span, err = time.ParseDuration(s); err != nil {
			t.Fatal(err)
		}
		clients = 64
	}
	w := newKillsWorld(t, killsWait+2*span)
	w.restart()
	w.prepare()
	var running sync.WaitGroup
	stop := make(chan struct{})
	for n := range clients {
		running.Go(func() { newKillsClient(w, n).run(stop) })
	}
	for began := time.Now(); time.Since(began) < span; {
		time.Sleep(200*time.Millisecond + rand.N(min(span/4,
			10*time.Second))) // when it is killed is left to chance
		w.kill()
		w.restart()
	}
	close(stop)
	running.Wait()
	t.Logf("%d kills, slowest start %s, %d entries, %d in the trash, answers %v, %d outcomes settled afterwards",
		w.kills, w.slowestStart, len(w.live()), len(w.trashed()), w.answers, w.settled)
	w.check()
}

// serveForKills is the server that is killed.
func serveForKills(t *testing.T) {
	cfg, err := app.FromEnv(os.Getenv)
	must.Do(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:"+cfg.Port)
	must.Do(t, err)
	server, err := New(cfg, cfg.Logger())
	must.Do(t, err)
	t.Fatal(http.Serve(listener, server))
}

// restart runs the server again, and returns when it answers.
func (w *killsWorld) restart() {
	w.t.Helper()
	name, args := os.Args[0], []string{"-test.run=^TestKills$"}
	if own := os.Getenv("KILLS_SERVER"); own != "" {
		name, args = own, nil
	}
	began := time.Now()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), killsChild+"=1", "PORT="+w.port, "DATA_DIR="+w.dir, "SEED=none",
		"ADMIN_EMAIL="+killsEmail, "ADMIN_PASSWORD="+killsPassword, "WEBHOOK_ALLOW_INSECURE=true",
		"WEBHOOK_RETRY_SCHEDULE=500ms,500ms,1s,1s,1s,1s,1s,1s,1s", "TRUSTED_PROXIES=127.0.0.1/32",
		"SITE_URL="+w.url, "LOG_LEVEL=warn")
	cmd.Stderr = &w.log
	must.Do(w.t, cmd.Start())
	w.server = cmd
	w.until("the server answers", func() bool {
		resp, err := http.Get(w.url + "/api/v1/i18n/locales")
		if err != nil {
			return false
		}
		resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	})
	if took := time.Since(began); took > w.slowestStart {
		w.slowestStart = took
	}
}

func (w *killsWorld) kill() {
	w.t.Helper()
	must.Do(w.t, w.server.Process.Kill())
	w.server.Wait() // it was killed
	w.kills++
}

// until polls until the condition holds.
func (w *killsWorld) until(what string, holds func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(w.wait); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.t.Fatalf("not within %s: %s\n%s", w.wait, what, w.log.tail())
		}
	}
}
