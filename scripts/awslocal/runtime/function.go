// Package runtime runs built functions like Lambda: under its Runtime API, with one event at a time
// for each copy, a timeout, and a process that is frozen between events.
package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Function is a built function and its copies.
type Function struct {
	Name        string
	Dir         string // folder with bootstrap
	Region      string
	MemorySize  int // MB, told to the function but not enforced
	Timeout     time.Duration
	Environment map[string]string
	Log         io.Writer // receives the output of the processes, concurrently unless it is a file
	Reports     io.Writer // receives a Line for each event, concurrently; may be nil
	Copies      int       // maximum number of processes; further events wait

	mu    sync.Mutex
	limit *int
	slots chan struct{}
	idle  []*environment
	all   map[*environment]bool
}

// Limits of Lambda.
const (
	MaxPayload  = 6 * 1024 * 1024 // bytes of an event or a response
	initTimeout = 10 * time.Second
)

// The errors of Invoke, apart from those of the function.
var (
	ErrTooLarge = errors.New("runtime: an event or response is larger than 6 MB")
	ErrTimeout  = errors.New("runtime: the function did not answer in time")
	// ErrThrottled is the error for events above the Limit.
	ErrThrottled = errors.New("runtime: too many events at a time")
)

// Invoke passes one event to a copy of the function and returns its response. Work after the
// response blocks the copy, not the caller.
func (f *Function) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	if len(payload) > MaxPayload {
		return nil, ErrTooLarge
	}
	e, err := f.acquire(ctx)
	if err != nil {
		if ctx.Err() == nil {
			f.reportStart(err)
		}
		return nil, err
	}
	began := time.Now()
	deadline := began.Add(f.Timeout)
	e.hand(job{id: uuid.NewString(), payload: payload, deadline: deadline})
	late := time.NewTimer(f.Timeout)
	defer late.Stop()
	select {
	case o := <-e.outcome:
		if o.err == nil && len(o.body) > MaxPayload {
			o = outcome{err: ErrTooLarge}
		}
		go f.release(e, o.err, began, deadline)
		return o.body, o.err
	case <-e.exited:
		f.report("failure", began, e)
		f.discard(e)
		return nil, fmt.Errorf("%s: the process ended during the event", f.Name)
	case <-late.C:
		f.report("timeout", began, e)
		f.discard(e)
		return nil, fmt.Errorf("%s: %w (%s)", f.Name, ErrTimeout, f.Timeout)
	}
}

// Limit makes Invoke return ErrThrottled while so many copies are busy, like Lambda at a
// concurrency limit. Without it, events wait for a copy.
func (f *Function) Limit(copies int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.limit = &copies
}

// acquire returns an idle copy or starts one. It waits while too many are busy.
func (f *Function) acquire(ctx context.Context) (*environment, error) {
	f.mu.Lock()
	if f.slots == nil {
		f.slots, f.all = make(chan struct{}, max(1, f.Copies)), map[*environment]bool{}
	}
	throttled := f.limit != nil && len(f.slots) >= *f.limit
	f.mu.Unlock()
	if throttled {
		return nil, fmt.Errorf("%s: %w", f.Name, ErrThrottled)
	}
	select {
	case f.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	f.mu.Lock()
	if n := len(f.idle); n > 0 {
		e := f.idle[n-1]
		f.idle = f.idle[:n-1]
		f.mu.Unlock()
		return e, nil
	}
	f.mu.Unlock()
	e, err := f.startReady()
	if err != nil {
		<-f.slots
	}
	return e, err
}

// startReady starts a copy and waits until it requests work.
func (f *Function) startReady() (*environment, error) {
	began := time.Now()
	e, err := start(f)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	f.all[e] = true
	f.mu.Unlock()
	select {
	case <-e.idle:
		e.init = time.Since(began)
		return e, nil
	case o := <-e.outcome:
		err = o.err
	case <-e.exited:
		err = fmt.Errorf("%s: the process ended before it requested work", f.Name)
	case <-time.After(initTimeout):
		err = fmt.Errorf("%s: %w of its start (%s)", f.Name, ErrTimeout, initTimeout)
	}
	f.forget(e)
	return nil, err
}

// release makes a copy available again after it has finished all work. The time until then is
// billed.
func (f *Function) release(e *environment, failed error, began, deadline time.Time) {
	late := time.NewTimer(time.Until(deadline) + time.Second)
	defer late.Stop()
	select {
	case <-e.idle:
	case <-e.exited:
		f.report("failure", began, e)
		f.discard(e)
		return
	case <-late.C:
		f.report("timeout", began, e)
		f.discard(e)
		return
	}
	if failed != nil {
		f.report("error", began, e)
	} else {
		f.report("success", began, e)
	}
	e.init = 0
	e.freeze()
	f.mu.Lock()
	f.idle = append(f.idle, e)
	f.mu.Unlock()
	<-f.slots
}

// discard ends a copy, so that another one can start.
func (f *Function) discard(e *environment) {
	f.forget(e)
	<-f.slots
}

func (f *Function) forget(e *environment) {
	e.stop()
	f.mu.Lock()
	delete(f.all, e)
	f.mu.Unlock()
}

// Close ends all copies.
func (f *Function) Close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for e := range f.all {
		e.process.Process.Kill()
	}
}

// environment returns the variables for a process: those of Lambda and of the template, and none of
// this machine.
func (f *Function) environment(api string) []string {
	env := []string{
		"AWS_LAMBDA_RUNTIME_API=" + api,
		"AWS_LAMBDA_FUNCTION_NAME=" + f.Name,
		"AWS_LAMBDA_FUNCTION_VERSION=$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=" + strconv.Itoa(f.MemorySize),
		"AWS_LAMBDA_LOG_FORMAT=JSON",
		"AWS_EXECUTION_ENV=AWS_Lambda_provided.al2023",
		"AWS_REGION=" + f.Region,
		"LAMBDA_TASK_ROOT=" + f.Dir,
		"PATH=/usr/bin:/bin",
		"TZ=:UTC",
		"_HANDLER=bootstrap",
	}
	for name, value := range f.Environment {
		env = append(env, name+"="+value)
	}
	return env
}
