package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"headless/pkg/must"
)

// source is a function that does what its event says.
const source = `package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
)

func main() {
	if os.Getenv("FAIL") != "" {
		os.Exit(3)
	}
	lambda.Start(func(ctx context.Context, word string) (string, error) {
		switch word {
		case "fail":
			return "", errors.New("as told")
		case "exit":
			os.Exit(1)
		case "hang":
			<-make(chan int)
		case "wait":
			time.Sleep(300 * time.Millisecond)
		case "big":
			return strings.Repeat("x", 7<<20), nil
		}
		return fmt.Sprint(word, " ", os.Getpid(), " ", os.Getenv("HOME")), nil
	})
}
`

var built struct {
	sync.Once
	dir string
	err error
}

// function builds the source above, once.
func function(t *testing.T) *Function {
	t.Helper()
	built.Do(func() {
		// Inside the module, so that it finds the library.
		dir, err := os.MkdirTemp(".", "testfunction")
		if err != nil {
			built.err = err
			return
		}
		defer os.RemoveAll(dir)
		if built.err = os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o644); built.err != nil {
			return
		}
		if built.dir, built.err = os.MkdirTemp("", "function"); built.err != nil {
			return
		}
		cmd := exec.Command("go", "build", "-tags", "lambda.norpc", "-o",
			filepath.Join(built.dir, "bootstrap"), "./"+dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			built.err = errors.New(string(out))
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	f := &Function{Name: "test", Dir: built.dir, Timeout: 5 * time.Second, Log: io.Discard, Copies: 2}
	t.Cleanup(f.Close)
	return f
}

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(built.dir)
	os.Exit(code)
}

func TestInvoke(t *testing.T) {
	f := function(t)
	call := func(word string) (string, error) {
		out, err := f.Invoke(context.Background(), []byte(`"`+word+`"`))
		return string(out), err
	}
	first, err := call("a")
	if err != nil || !strings.HasPrefix(first, `"a `) {
		t.Fatalf("got %s, %v", first, err)
	}
	if strings.Contains(first, "/") {
		t.Errorf("the function sees this machine's environment: %s", first)
	}
	if _, err := call("fail"); err == nil || !strings.Contains(err.Error(), "as told") {
		t.Errorf("an error of the function came as %v", err)
	}
	if _, err := call("exit"); err == nil {
		t.Error("no error from a process that ended")
	}
	if _, err := call("big"); !errors.Is(err, ErrTooLarge) {
		t.Errorf("an answer over 6 MB came as %v", err)
	}
	if second, err := call("a"); err != nil || second == first {
		t.Errorf("after the end of a process: %s, %v", second, err)
	}
	if _, err := f.Invoke(context.Background(), make([]byte, MaxPayload+1)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("an event over 6 MB came as %v", err)
	}
}

func TestOneEventAtATimeForEachCopy(t *testing.T) {
	f := function(t)
	pids := make(chan string, 4)
	for range cap(pids) {
		go func() {
			out, err := f.Invoke(context.Background(), []byte(`"wait"`))
			if err != nil {
				t.Error(err)
			}
			pids <- string(out)
		}()
	}
	count := map[string]int{}
	for range cap(pids) {
		count[<-pids]++
	}
	if len(count) != f.Copies {
		t.Errorf("4 events went to %d processes, want %d: %v", len(count), f.Copies, count)
	}
}

func TestTimeLimit(t *testing.T) {
	f := function(t)
	f.Timeout = 50 * time.Millisecond
	if _, err := f.Invoke(context.Background(), []byte(`"hang"`)); !errors.Is(err, ErrTimeout) {
		t.Errorf("got %v", err)
	}
}

func TestFailedStart(t *testing.T) {
	f := function(t)
	f.Environment = map[string]string{"FAIL": "1"}
	for range 3 { // more often than there are copies: a failed start must give its place back
		if _, err := f.Invoke(context.Background(), []byte(`"a"`)); err == nil {
			t.Fatal("no error from a process that does not start")
		}
	}
}

func TestCold(t *testing.T) {
	cost, err := function(t).Cold(context.Background(), []byte(`"a"`))
	if err != nil || cost.Wall <= 0 || cost.CPU <= 0 || cost.MaxRSS <= 0 {
		t.Errorf("got %+v, %v", cost, err)
	}
}

func TestLimit(t *testing.T) {
	f := function(t)
	f.Limit(0)
	if _, err := f.Invoke(context.Background(), []byte(`"a"`)); !errors.Is(err, ErrThrottled) {
		t.Errorf("with no copy: %v", err)
	}
	f.Limit(1)
	if _, err := f.Invoke(context.Background(), []byte(`"a"`)); err != nil {
		t.Errorf("with one copy: %v", err)
	}
}

// TestReports looks at the line of each event, which comes when its copy is idle again.
func TestReports(t *testing.T) {
	lines, in := io.Pipe()
	f := function(t)
	f.Reports, f.MemorySize, f.Copies = in, 512, 1
	f.Timeout = 2 * time.Second
	got := json.NewDecoder(lines)
	for _, c := range []struct {
		event, status string
		cold          bool
	}{{"a", "success", true}, {"a", "success", false}, {"fail", "error", false},
		{"exit", "failure", false}, {"a", "success", true}, {"hang", "timeout", false}} {
		go f.Invoke(context.Background(), []byte(`"`+c.event+`"`))
		var l Line
		must.Do(t, got.Decode(&l))
		m := l.Record.Metrics
		if l.Type != ReportType || l.Function != "test" || l.Record.Status != c.status ||
			m.MemorySizeMB != 512 || m.DurationMs <= 0 || m.InitDurationMs > 0 != c.cold ||
			float64(m.BilledDurationMs) < m.DurationMs+m.InitDurationMs ||
			c.status == "success" && goruntime.GOOS == "linux" && m.MaxMemoryUsedMB < 1 {
			t.Errorf("%s: %+v %+v", c.event, l, l.Record)
		}
	}
	f.Limit(0)
	go f.Invoke(context.Background(), []byte(`"a"`))
	var l Line
	if err := got.Decode(&l); err != nil || l.Type != ThrottleType || l.Record != nil {
		t.Errorf("beyond the limit: %+v, %v", l, err)
	}
}
