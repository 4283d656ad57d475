// Command coldstart measures how long a built function takes from the start of its process to its first answer, and how
// that compares with a function that does nothing.
//
//	go run ./scripts/awslocal -start -- go run ./scripts/coldstart
//
// It runs each function in .build/awslocal under the Runtime API, one process for each run, with the sample event in events/, and takes
// the endpoints of the emulators from its environment, as scripts/awslocal sets it.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"headless/scripts/awslocal/runtime"
	"headless/scripts/internal/template"
)

func main() {
	runs := flag.Int("runs", 30, "cold starts of each function")
	built := flag.String("built", ".build/awslocal", "folder of the built functions")
	only := flag.String("only", "", "functions to measure, comma-separated ids; all by default")
	limit := flag.Float64("limit", 0, "exit with an error when ContentFunction takes more than this many times as long as hello; 0 is no limit")
	flag.Parse()
	if err := run(*runs, *built, *only, *limit); err != nil {
		fmt.Fprintln(os.Stderr, "coldstart:", err)
		os.Exit(1)
	}
}

// run prints one row a function.
func run(runs int, built, only string, limit float64) error {
	built, err := filepath.Abs(built)
	if err != nil {
		return err
	}
	hello := filepath.Join(built, "hello")
	if err := buildHello(hello); err != nil {
		return err
	}
	base, err := measure(runs, &runtime.Function{Name: "hello", Dir: hello, Timeout: 10 * time.Second, Log: io.Discard}, []byte("{}"))
	if err != nil {
		return err
	}
	t, err := template.Load("template.yaml")
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "function\tmedian ms\tp90 ms\t× hello\tCPU ms\t× hello\tMB\tbinary MB\t")
	row(out, "hello", base, base)
	failed := error(nil)
	for _, r := range t.Resources("AWS::Serverless::Function") {
		if only != "" && !slices.Contains(strings.Split(only, ","), r.ID) {
			continue
		}
		name := filepath.Base(fmt.Sprint(r.Properties()["CodeUri"]))
		event, err := os.ReadFile(filepath.Join("events", name+".json"))
		if err != nil {
			return err
		}
		f := &runtime.Function{
			Name: r.ID, Dir: filepath.Join(built, r.ID), Region: os.Getenv("AWS_REGION"), MemorySize: 512, Timeout: 29 * time.Second,
			Environment: environment(t, r), Log: io.Discard,
		}
		got, err := measure(runs, f, event)
		if err != nil {
			return err
		}
		row(out, r.ID, got, base)
		if ratio := got.median() / base.median(); r.ID == "ContentFunction" && limit > 0 && ratio > limit {
			failed = fmt.Errorf("%s takes %.1f times as long as hello; the limit is %.1f", r.ID, ratio, limit)
		}
	}
	out.Flush()
	return failed
}

func buildHello(dir string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags", "lambda.norpc,nethttpomithttp2", "-ldflags", "-s -w -buildid=", "-o", filepath.Join(dir, "bootstrap"), "./scripts/coldstart/hello")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building hello: %w\n%s", err, text)
	}
	return nil
}

// environment has the variables that the template gives a function, and the endpoints, all from this process's own.
func environment(t *template.Template, r template.Resource) map[string]string {
	out := map[string]string{}
	for _, v := range os.Environ() {
		if name, value, _ := strings.Cut(v, "="); strings.HasPrefix(name, "AWS_") {
			out[name] = value
		}
	}
	for _, name := range t.Variables(r) {
		out[name] = os.Getenv(name)
	}
	out["GOMAXPROCS"] = "1" // as in the template
	return out
}

// sample holds the runs of one function.
type sample struct {
	wall, cpu []float64 // ms, sorted
	memory    int64     // largest, in KiB
	binary    int64     // bytes
}

func (s sample) median() float64    { return s.wall[len(s.wall)/2] }
func (s sample) medianCPU() float64 { return s.cpu[len(s.cpu)/2] }

// measure starts the function afresh for each run.
func measure(runs int, f *runtime.Function, event []byte) (sample, error) {
	var s sample
	for range runs {
		cost, err := f.Cold(context.Background(), event)
		if err != nil {
			return s, err
		}
		s.wall = append(s.wall, milliseconds(cost.Wall))
		s.cpu = append(s.cpu, milliseconds(cost.CPU))
		s.memory = max(s.memory, cost.MaxRSS)
	}
	slices.Sort(s.wall)
	slices.Sort(s.cpu)
	info, err := os.Stat(filepath.Join(f.Dir, "bootstrap"))
	if err != nil {
		return s, err
	}
	s.binary = info.Size()
	return s, nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// row prints a function's figures. Time on the clock contains what the emulators take to answer; time on the processor does not.
func row(out io.Writer, name string, s, base sample) {
	fmt.Fprintf(out, "%s\t%.1f\t%.1f\t%.2f\t%.1f\t%.2f\t%.0f\t%.1f\t\n", name, s.median(), s.wall[len(s.wall)*9/10], s.median()/base.median(),
		s.medianCPU(), s.medianCPU()/base.medianCPU(), float64(s.memory)/1024, float64(s.binary)/1e6)
}
