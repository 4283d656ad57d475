package bolt

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"

	"go.etcd.io/bbolt"

	"headless/pkg/must"
	"headless/pkg/table"
)

// childFile names the file that a copy of the test process writes until it is killed.
const childFile = "BOLT_TEST_CHILD_FILE"

// TestKilled kills a writing process and expects all that it acknowledged to be there, and every
// write whole.
func TestKilled(t *testing.T) {
	if path := os.Getenv(childFile); path != "" {
		writeForEver(t, path)
		return
	}
	path := filepath.Join(t.TempDir(), "test.db")
	child := exec.Command(os.Args[0], "-test.run=^TestKilled$")
	child.Env = append(os.Environ(), childFile+"="+path)
	out, err := child.StdoutPipe()
	must.Do(t, err)
	must.Do(t, child.Start())
	var acknowledged []int
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		n, err := strconv.Atoi(lines.Text())
		if err != nil {
			break // the last line may be cut
		}
		if acknowledged = append(acknowledged, n); len(acknowledged) == 300 {
			must.Do(t, child.Process.Kill())
		}
	}
	if err := child.Wait(); err == nil || len(acknowledged) < 300 {
		t.Fatalf("child ended by itself after %d writes", len(acknowledged))
	}
	tab, err := Open(path)
	must.Do(t, err)
	defer tab.Close()
	for _, n := range acknowledged {
		if got, err := tab.Get(t.Context(), table.Strong, pair(n)...); err != nil ||
			got[0] == nil || got[1] == nil {
			t.Errorf("write %d was acknowledged and lost: %v, %v", n, got, err)
		}
	}
	a, errA := tab.Query(t.Context(), table.Range{Partition: "a"})
	b, errB := tab.Query(t.Context(), table.Range{Partition: "b"})
	if errA != nil || errB != nil || len(a) != len(b) {
		t.Errorf("a write is torn: %d and %d items, %v, %v", len(a), len(b), errA, errB)
	}
}

func pair(n int) []table.Key {
	s := fmt.Sprintf("%08d", n)
	return []table.Key{{Partition: "a", Sort: s}, {Partition: "b", Sort: s}}
}

// writeForEver prints the numbers of the pairs that were acknowledged.
func writeForEver(t *testing.T, path string) {
	tab, err := Open(path, flushingFrom(64<<10)) // so that segments are used again and again
	must.Do(t, err)
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for n := w; ; n += 8 {
				keys := pair(n)
				body := make([]byte, 2000)
				err := tab.Write(t.Context(),
					[]table.Op{{Item: table.Item{Key: keys[0], Body: body}},
						{Item: table.Item{Key: keys[1], Body: body}}})
				if err != nil {
					return
				}
				fmt.Println(n)
			}
		})
	}
	wg.Wait()
}

// TestReadDuringWrite reads while a write transaction is open, as it is during a disk sync.
func TestReadDuringWrite(t *testing.T) {
	tab := openTest(t)
	k := table.Key{Partition: "p", Sort: "s"}
	must.Do(t, tab.Write(t.Context(), []table.Op{{Item: table.Item{Key: k, Version: 1}}}))
	err := tab.db.Update(func(tx *bbolt.Tx) error {
		large := make([]byte, 20<<20) // so that the file grows
		if err := tx.Bucket(itemsBucket).Put([]byte("large\x00x"), append([]byte{0, 0, 0}, large...)); err != nil {
			return err
		}
		got, err := tab.Get(t.Context(), table.Strong, k)
		if err != nil || got[0] == nil || got[0].Version != 1 {
			t.Errorf("read during a write: %v, %v", got, err)
		}
		_, err = tab.Add(t.Context(), k, 1, 1, 0)
		return err
	})
	must.Do(t, err)
}

// TestFailedCommit has a group of requests whose commit fails: none may report success, nor a
// condition judged by the others' changes. Later writes succeed once the log can be written again.
func TestFailedCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	tab, err := Open(path)
	must.Do(t, err)
	defer tab.Close()
	k := table.Key{Partition: "p", Sort: "s"}
	claim := func() *request {
		op := table.Op{Item: table.Item{Key: k}, If: table.Absent}
		return &request{ctx: t.Context(), ops: []table.Op{op}, answer: make(chan error, 1)}
	}
	file := tab.log.file
	readOnly, err := os.Open(file.Name())
	must.Do(t, err)
	defer readOnly.Close()
	tab.log.file = readOnly // its writes fail
	group := []*request{claim(), claim()}
	tab.commit(group)
	for i, r := range group {
		if err := <-r.answer; !errors.Is(err, table.ErrUnavailable) {
			t.Errorf("request %d: got %v, want unavailable", i, err)
		}
	}
	if got, err := tab.Get(t.Context(), table.Strong, k); err != nil || got[0] != nil {
		t.Errorf("got %v, %v", got, err)
	}
	tab.log.file = file
	if err := tab.Write(t.Context(), claim().ops); err != nil {
		t.Errorf("after the fault: %v", err)
	}
}

// TestFailedFlush closes a table whose file refuses the changes of one segment: it keeps the log
// from there on. The changes of a later segment used to reach the file alone, and its number said
// that the earlier ones were there too.
func TestFailedFlush(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	tab, err := Open(path, flushingFrom(1))
	must.Do(t, err)
	long := table.Key{Partition: "p", Sort: string(make([]byte, 40_000))} // too long for the file
	r := &request{ops: []table.Op{{Item: table.Item{Key: long}}}}
	must.Do(t, tab.submit(t.Context(), r))
	writePair(t, tab, 1)
	writePair(t, tab, 2)
	if err := tab.Close(); err == nil {
		t.Error("closed without an error")
	}
	// Requests that are still queued then may fill the log: they must not wait for a flush.
	tab.log.size = maxLogBytes
	tab.flushLarge()
	var left []uint64
	for n, err := range segments(path) {
		must.Do(t, err)
		left = append(left, n)
	}
	if !slices.Equal(left, []uint64{1, 2}) {
		t.Errorf("segments %v are left, want 1 and 2", left)
	}
}

func TestCloseDuringWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	tab, err := Open(path)
	must.Do(t, err)
	var mu sync.Mutex
	var written []table.Key
	var wg sync.WaitGroup
	first := make(chan struct{}, 1)
	for w := range 8 {
		wg.Go(func() {
			for n := w; ; n += 8 {
				k := pair(n)[0]
				err := tab.Write(t.Context(), []table.Op{{Item: table.Item{Key: k}}})
				if err != nil {
					if !errors.Is(err, table.ErrUnavailable) {
						t.Errorf("write during close: %v", err)
					}
					return
				}
				mu.Lock()
				written = append(written, k)
				mu.Unlock()
				select {
				case first <- struct{}{}:
				default:
				}
			}
		})
	}
	<-first
	must.Do(t, tab.Close())
	wg.Wait()
	again, err := Open(path)
	must.Do(t, err)
	defer again.Close()
	got, err := again.Get(t.Context(), table.Strong, written...)
	must.Do(t, err)
	for i := range got {
		if got[i] == nil {
			t.Errorf("%v was acknowledged and lost", written[i])
		}
	}
}
