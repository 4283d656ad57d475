// Package queuetest is the conformance suite of the queue port.
package queuetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"headless/pkg/queue"
)

// Harness is an empty queue with a receiver.
type Harness struct {
	Queue queue.Queue
	// Consume delivers messages to h until ctx is done, and delivers a message again if h failed.
	// Delay of delivered messages has no meaning.
	Consume func(ctx context.Context, h func(context.Context, queue.Message) error)
	// Now is the queue's clock.
	Now func() time.Time
	// Advance moves that clock forward. It does nothing if the clock is real.
	Advance func(d time.Duration)
}

// Run runs the suite. make returns an empty queue for each test.
func Run(t *testing.T, make func(t *testing.T) Harness) {
	tests := map[string]func(*testing.T, Harness){
		"delivers every message":           deliversAll,
		"sends nothing":                    sendsNothing,
		"delays":                           delays,
		"cuts long delays":                 cutsLongDelays,
		"delivers again after a failure":   redelivers,
		"names the messages that it fails": namesFailures,
		"reports a context that is over":   reportsContext,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, make(t))
		})
	}
}

// inbox collects deliveries.
type inbox struct {
	mu   sync.Mutex
	got  []queue.Message
	at   []time.Time
	news chan struct{}
}

// open starts the harness's receiver. handle is called for each message; nil accepts all.
func open(t *testing.T, h Harness, handle func(queue.Message) error) *inbox {
	t.Helper()
	in := &inbox{news: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.Consume(ctx, func(_ context.Context, m queue.Message) error {
			in.mu.Lock()
			in.got, in.at = append(in.got, m), append(in.at, h.Now())
			in.mu.Unlock()
			select {
			case in.news <- struct{}{}:
			default:
			}
			if handle == nil {
				return nil
			}
			return handle(m)
		})
	}()
	t.Cleanup(func() { cancel(); <-done })
	return in
}

// wait returns once ready returns true for the messages delivered so far.
func (in *inbox) wait(t *testing.T, what string, ready func([]queue.Message) bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		in.mu.Lock()
		ok := ready(in.got)
		n := len(in.got)
		in.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-in.news:
		case <-deadline:
			t.Fatalf("waited in vain for %s; %d deliveries so far", what, n)
		}
	}
}

// index returns the position of the first delivery of body, -1 if there is none.
func index(got []queue.Message, body string) int {
	return slices.IndexFunc(got, func(m queue.Message) bool { return string(m.Body) == body })
}

func send(t *testing.T, h Harness, msgs ...queue.Message) {
	t.Helper()
	if err := h.Queue.Send(context.Background(), msgs...); err != nil {
		t.Fatalf("Send: %v", err)
	}
}

func deliversAll(t *testing.T, h Harness) {
	in := open(t, h, nil)
	want := map[string]string{}
	var msgs []queue.Message
	for i := range 25 {
		body := fmt.Sprintf(`{"n":%d,"text":"Grüße, 世界 <&>\n"}`, i)
		group := fmt.Sprintf("group-%d", i%3)
		want[body] = group
		msgs = append(msgs, queue.Message{Body: []byte(body), Group: group})
	}
	msgs = append(msgs, queue.Message{Body: []byte("no group")})
	want["no group"] = ""
	send(t, h, msgs...)
	in.wait(t, "26 messages", func(got []queue.Message) bool {
		seen := map[string]bool{}
		for _, m := range got {
			group, ok := want[string(m.Body)]
			if !ok || m.Group != group {
				t.Errorf("delivered %q of group %q, which was not sent", m.Body, m.Group)
			}
			seen[string(m.Body)] = true
		}
		return len(seen) == len(want)
	})
}

func sendsNothing(t *testing.T, h Harness) { send(t, h) }

func delays(t *testing.T, h Harness) {
	in := open(t, h, nil)
	sent := h.Now()
	send(t, h, queue.Message{Body: []byte("later"), Delay: 2 * time.Second}, queue.Message{Body: []byte("now")})
	in.wait(t, "the message without delay", func(got []queue.Message) bool { return index(got, "now") >= 0 })
	h.Advance(2 * time.Second)
	in.wait(t, "the delayed message", func(got []queue.Message) bool { return index(got, "later") >= 0 })
	in.mu.Lock()
	defer in.mu.Unlock()
	// The queue's clock may be another machine's, so a little less is let pass.
	if d := in.at[index(in.got, "later")].Sub(sent); d < 1900*time.Millisecond {
		t.Errorf("delivered after %v, want at least 2 s", d)
	}
}

func cutsLongDelays(t *testing.T, h Harness) {
	send(t, h, queue.Message{Body: []byte("tomorrow"), Delay: 24 * time.Hour})
}

func redelivers(t *testing.T, h Harness) {
	var mu sync.Mutex
	failures := 0
	in := open(t, h, func(queue.Message) error {
		mu.Lock()
		defer mu.Unlock()
		if failures++; failures == 1 {
			return errors.New("not now")
		}
		return nil
	})
	send(t, h, queue.Message{Body: []byte("again"), Group: "g"})
	in.wait(t, "the first delivery", func(got []queue.Message) bool { return len(got) >= 1 })
	// The wait before the second delivery begins when the handler has returned, so the clock may
	// have to move more than once.
	deadline := time.Now().Add(20 * time.Second)
	for {
		in.mu.Lock()
		n := len(in.got)
		in.mu.Unlock()
		if n >= 2 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("not delivered again")
		}
		h.Advance(time.Second)
		select {
		case <-in.news:
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func namesFailures(t *testing.T, h Harness) {
	in := open(t, h, nil)
	err := h.Queue.Send(context.Background(),
		queue.Message{Body: []byte("good")},
		queue.Message{},
		queue.Message{Body: []byte("bad group"), Group: "a b"},
		queue.Message{Body: make([]byte, queue.MaxBody+1)},
		queue.Message{Body: []byte("good too")})
	if failed, ok := errors.AsType[*queue.SendError](err); !ok || !slices.Equal(failed.Failed, []int{1, 2, 3}) ||
		failed.Err == nil {
		t.Fatalf("Send: %v, want a SendError about 1, 2 and 3", err)
	}
	in.wait(t, "the good ones", func(got []queue.Message) bool {
		return index(got, "good") >= 0 && index(got, "good too") >= 0
	})
}

func reportsContext(t *testing.T, h Harness) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := h.Queue.Send(ctx, queue.Message{Body: []byte("x")}); !errors.Is(err, context.Canceled) {
		t.Errorf("Send: %v, want context.Canceled", err)
	}
}
