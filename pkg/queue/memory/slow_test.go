package memory

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"headless/pkg/must"
	"headless/pkg/queue"
)

// TestHangingGroups: 40 receivers that hang for 15 s used to delay a healthy one by 16 s in the
// median.
func TestHangingGroups(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(time.Now, Options{})
		ctx, cancel := context.WithCancel(t.Context())
		var mu sync.Mutex
		var delays []time.Duration
		done := make(chan struct{})
		go func() {
			defer close(done)
			q.Run(ctx, 64, func(ctx context.Context, messages []queue.Message) []int {
				m := messages[0]
				if m.Group != "healthy" {
					select {
					case <-time.After(15 * time.Second):
					case <-ctx.Done():
					}
					return nil
				}
				sent, err := time.Parse(time.RFC3339Nano, string(m.Body))
				mu.Lock()
				delays = append(delays, time.Since(sent))
				mu.Unlock()
				if err != nil {
					t.Error(err)
				}
				return nil
			})
		}()
		for range 30 {
			body := []byte(time.Now().Format(time.RFC3339Nano))
			for hook := range 40 {
				must.Do(t, q.Send(ctx, queue.Message{Body: body, Group: fmt.Sprint("hangs", hook)}))
			}
			must.Do(t, q.Send(ctx, queue.Message{Body: body, Group: "healthy"}))
			time.Sleep(200 * time.Millisecond)
		}
		time.Sleep(time.Second)
		cancel()
		<-done
		slices.Sort(delays)
		if len(delays) != 30 || delays[15] > time.Second || delays[29] > 3*time.Second {
			t.Errorf("%d of 30 healthy deliveries: %v", len(delays), delays)
		}
	})
}

// TestHangsInItsTurn has a group that waits for a worker when all its handlers begin to hang. They
// were more than it may have then, which made the size of its next batch negative.
func TestHangsInItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := New(time.Now, Options{PerGroup: 3, Batch: func(string) int { return 10 }})
		ctx, cancel := context.WithCancel(t.Context())
		var batches, handled atomic.Int32
		done := make(chan struct{})
		go func() {
			defer close(done)
			q.Run(ctx, 2, func(_ context.Context, messages []queue.Message) []int {
				if batches.Add(1) <= 4 {
					time.Sleep(5 * time.Second)
				}
				handled.Add(int32(len(messages)))
				return nil
			})
		}()
		for range 60 {
			must.Do(t, q.Send(ctx, queue.Message{Body: []byte("x"), Group: "hangs"}))
		}
		time.Sleep(time.Minute)
		if n := handled.Load(); n != 60 {
			t.Errorf("%d of 60 messages were handled", n)
		}
		cancel()
		<-done
	})
}
