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
	"errors"
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
	check := flag.Bool("check", false, "exit with an error when ContentFunction exceeds its limits")
	flag.Parse()
	if err := run(*runs, *built, *only, *check); err != nil {
		fmt.Fprintln(os.Stderr, "coldstart:", err)
		os.Exit(1)
	}
}

// Limits of ContentFunction, for -check. Its time is that on the processor, in relation to that of a function that does nothing; the aim is 2.5, and
// what other work on the machine adds is allowed for.
const (
	maxRatio  = 3
	maxBinary = 12.0 // MB
	maxMemory = 40.0 // MB
	tries     = 3    // until a limit counts as exceeded: even so, a busy machine may disturb one series of runs
)

// subject is a function to be measured, with the event that it gets.
type subject struct {
	function *runtime.Function
	event    []byte
}

// run prints one row a function.
func run(runs int, built, only string, check bool) error {
	built, err := filepath.Abs(built)
	if err != nil {
		return err
	}
	hello := filepath.Join(built, "hello")
	if err := buildHello(hello); err != nil {
		return err
	}
	subjects := []subject{{&runtime.Function{Name: "hello", Dir: hello, Timeout: 10 * time.Second, Log: io.Discard}, []byte("{}")}}
	t, err := template.Load("template.yaml")
	if err != nil {
		return err
	}
	for _, r := range t.Resources("AWS::Serverless::Function") {
		if only != "" && !slices.Contains(strings.Split(only, ","), r.ID) {
			continue
		}
		name := filepath.Base(fmt.Sprint(r.Properties()["CodeUri"]))
		event, err := os.ReadFile(filepath.Join("events", name+".json"))
		if err != nil {
			return err
		}
		subjects = append(subjects, subject{&runtime.Function{
			Name: r.ID, Dir: filepath.Join(built, r.ID), Region: os.Getenv("AWS_REGION"), MemorySize: 512, Timeout: 29 * time.Second,
			Environment: environment(t, r), Log: io.Discard,
		}, event})
	}
	var failed error
	for range tries {
		samples, err := measure(runs, subjects)
		if err != nil {
			return err
		}
		failed = report(subjects, samples)
		if !check || failed == nil {
			return nil
		}
	}
	return failed
}

// report prints the samples and tells which limits ContentFunction exceeds; nil when there is none.
func report(subjects []subject, samples []sample) error {
	base := samples[0]
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "function\tmedian ms\tp90 ms\t× hello\tCPU ms\t× hello\tMB\tbinary MB\t")
	var failed error
	for i, s := range samples {
		name := subjects[i].function.Name
		row(out, name, s, base)
		if name == "ContentFunction" {
			failed = exceeded(s, base)
		}
	}
	out.Flush()
	return failed
}

func exceeded(s, base sample) error {
	var errs []error
	for _, limit := range []struct {
		what     string
		got, max float64
	}{
		{"times the processor time of hello", s.medianCPU() / base.medianCPU(), maxRatio},
		{"MB of memory", s.megabytes(), maxMemory},
		{"MB of binary", s.binaryMegabytes(), maxBinary},
	} {
		if limit.got > limit.max {
			errs = append(errs, fmt.Errorf("ContentFunction takes %.2f %s; the limit is %g", limit.got, limit.what, limit.max))
		}
	}
	return errors.Join(errs...)
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

func (s sample) median() float64          { return s.wall[len(s.wall)/2] }
func (s sample) medianCPU() float64       { return s.cpu[len(s.cpu)/2] }
func (s sample) megabytes() float64       { return float64(s.memory) / 1024 }
func (s sample) binaryMegabytes() float64 { return float64(s.binary) / 1e6 }

// measure starts each function afresh for each run. They take turns, so that a busy spell of the machine falls on all of them.
func measure(runs int, subjects []subject) ([]sample, error) {
	samples := make([]sample, len(subjects))
	for range runs {
		for i, subject := range subjects {
			cost, err := subject.function.Cold(context.Background(), subject.event)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", subject.function.Name, err)
			}
			s := &samples[i]
			s.wall = append(s.wall, milliseconds(cost.Wall))
			s.cpu = append(s.cpu, milliseconds(cost.CPU))
			s.memory = max(s.memory, cost.MaxRSS)
		}
	}
	for i := range samples {
		slices.Sort(samples[i].wall)
		slices.Sort(samples[i].cpu)
		info, err := os.Stat(filepath.Join(subjects[i].function.Dir, "bootstrap"))
		if err != nil {
			return nil, err
		}
		samples[i].binary = info.Size()
	}
	return samples, nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// row prints a function's figures. Time on the clock contains what the emulators take to answer; time on the processor does not.
func row(out io.Writer, name string, s, base sample) {
	fmt.Fprintf(out, "%s\t%.1f\t%.1f\t%.2f\t%.1f\t%.2f\t%.0f\t%.1f\t\n", name, s.median(), s.wall[len(s.wall)*9/10], s.median()/base.median(),
		s.medianCPU(), s.medianCPU()/base.medianCPU(), s.megabytes(), s.binaryMegabytes())
}
