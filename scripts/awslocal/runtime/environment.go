package runtime

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// environment is one copy of a function: a process with its Runtime API and Extensions API. It
// handles one event at a time and is frozen between events, like on Lambda.
type environment struct {
	function *Function
	server   *http.Server
	process  *exec.Cmd

	jobs      chan job      // for the runtime's call for the next event
	extension chan job      // for the extension's call; used after it has registered
	outcome   chan outcome  // of the current event
	idle      chan struct{} // receives a value when both runtime and extension wait for the next event
	exited    chan struct{} // closed when the process has ended

	init      time.Duration // duration of the start; 0 after the first event
	processor int64         // milliseconds of processor time until the last report

	mu         sync.Mutex
	registered bool
	waiting    int // how many of runtime and extension wait for the next event
}

type job struct {
	id       string
	payload  []byte
	deadline time.Time
}

type outcome struct {
	body []byte
	err  error
}

// start runs the function's bootstrap. The environment is ready when idle receives a value.
func start(f *Function) (*environment, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	e := &environment{
		function: f, jobs: make(chan job), extension: make(chan job, 1),
		outcome: make(chan outcome, 1), idle: make(chan struct{}, 1), exited: make(chan struct{}),
	}
	e.server = &http.Server{Handler: e.api()}
	go e.server.Serve(listener)

	e.process = exec.Command(filepath.Join(f.Dir, "bootstrap"))
	e.process.Dir, e.process.Env = f.Dir, f.environment(listener.Addr().String())
	e.process.Stdout, e.process.Stderr = f.Log, f.Log
	if err := e.process.Start(); err != nil {
		e.server.Close()
		return nil, err
	}
	go func() {
		e.process.Wait()
		close(e.exited)
		e.server.Close()
	}()
	return e, nil
}

// api serves the Runtime API and the Extensions API.
func (e *environment) api() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /2018-06-01/runtime/invocation/next", func(w http.ResponseWriter, r *http.Request) {
		j, ok := e.await(r, e.jobs)
		if !ok {
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Lambda-Runtime-Aws-Request-Id", j.id)
		w.Header().Set("Lambda-Runtime-Deadline-Ms", strconv.FormatInt(j.deadline.UnixMilli(), 10))
		w.Header().Set("Lambda-Runtime-Invoked-Function-Arn",
			"arn:aws:lambda:"+e.function.Region+":000000000000:function:"+e.function.Name)
		w.Write(j.payload)
	})
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/response", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		e.outcome <- outcome{body, err}
		w.WriteHeader(http.StatusAccepted)
	})
	failed := func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		e.outcome <- outcome{err: fmt.Errorf("%s: %s", e.function.Name, body)}
		w.WriteHeader(http.StatusAccepted)
	}
	mux.HandleFunc("POST /2018-06-01/runtime/invocation/{id}/error", failed)
	mux.HandleFunc("POST /2018-06-01/runtime/init/error", failed)
	mux.HandleFunc("POST /2020-01-01/extension/register", func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		e.registered = true
		e.mu.Unlock()
		w.Header().Set("Lambda-Extension-Identifier", "internal")
		w.Write([]byte("{}"))
	})
	mux.HandleFunc("GET /2020-01-01/extension/event/next", func(w http.ResponseWriter, r *http.Request) {
		if j, ok := e.await(r, e.extension); ok {
			json.NewEncoder(w).Encode(map[string]any{"eventType": "INVOKE", "requestId": j.id,
				"deadlineMs": j.deadline.UnixMilli()})
		}
	})
	return mux
}

// await records that a part of the process is idle, and waits for its next event.
func (e *environment) await(r *http.Request, from chan job) (job, bool) {
	e.mu.Lock()
	e.waiting++
	if e.waiting == 1 && !e.registered || e.waiting == 2 {
		select {
		case e.idle <- struct{}{}:
		default:
		}
	}
	e.mu.Unlock()
	select {
	case j := <-from:
		return j, true
	case <-r.Context().Done():
		return job{}, false
	}
}

// hand passes the next event to the process, which must be idle.
func (e *environment) hand(j job) {
	e.mu.Lock()
	e.waiting = 0
	registered := e.registered
	e.mu.Unlock()
	e.process.Process.Signal(syscall.SIGCONT)
	if registered {
		e.extension <- j
	}
	select {
	case e.jobs <- j:
	case <-e.exited:
	}
}

// freeze stops the process until its next event: background work stops, as on Lambda.
func (e *environment) freeze() { e.process.Process.Signal(syscall.SIGSTOP) }

// stop ends the process.
func (e *environment) stop() {
	e.process.Process.Kill()
	<-e.exited
}
