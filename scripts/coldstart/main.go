// Command coldstart measures the time that a built function takes from the start of its process to
// its first response, and compares it with a function that does nothing.
//
//	go run ./scripts/awslocal -start -- go run ./scripts/coldstart
//
// It runs each function in .build/awslocal under the Runtime API, one process for each run, with
// the sample event in events/. It reads the endpoints of the emulators from its environment, as
// scripts/awslocal sets it.
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
	"headless/scripts/internal/program"
	"headless/scripts/internal/template"
)

func main() {
	runs := flag.Int("runs", 30, "cold starts of each function")
	built := flag.String("built", ".build/awslocal", "folder of the built functions")
	only := flag.String("only", "", "functions to measure, comma-separated ids; all by default")
	check := flag.Bool("check", false, "exit with an error when a function exceeds its limits")
	flag.Parse()
	program.Main("coldstart", func(context.Context) error { return run(*runs, *built, *only, *check) })
}

// limit has the limits of a function, for -check. ratio is its processor time divided by that of a
// function that does nothing.
type limit struct {
	ratio          float64
	memory, binary float64 // MB
}

// limits has the limits by the names of subjects. The admin area cannot reach 15 MB: it takes 22,
// where hello takes 6. Its heap and stacks are 4 of them. The other 18 are pages of its program of
// 29 MB: 10 of code, and 8 of tables such as types (3), lines of functions (3) and strings (1). Some
// 500 packages are linked. Each of those that initialize anything touches a page, and the kernel
// maps the fifteen pages around it. Without its Markdown renderer it would take 21 MB and a twelfth
// less processor time; html/template, which keeps all methods of all types, makes up another 3 MB.
var limits = map[string]limit{
	// 0.8 of it parse Markdown and YAML for references and blocks in texts
	"ContentFunction":    {ratio: 2, memory: 15, binary: 12.9},
	"MailWorkerFunction": {ratio: 3, memory: 15, binary: 23},
	"McpFunction":        {ratio: 3, memory: 15, binary: 17},
	sweeperEveryMinute:   {ratio: 3, memory: 15, binary: 15},
	"AdminFunction":      {ratio: 3, memory: 24, binary: 33},
}

// busy is the factor by which a function may exceed its ratio on a machine with other work, where
// larger programs lose more time. At ten times the load that the processors can take, content had a
// ratio of 2.2 instead of 1.7.
const busy = 1.3

// sweeperEveryMinute is the sweeper with the event of the schedule that calls it most often. The
// other schedule makes a whole sweep, which reads some sixty partitions and therefore costs much
// more than a start.
const sweeperEveryMinute = "SweeperFunction EveryMinute"

// tries is the number of series of runs until a limit counts as exceeded, since a busy machine may
// disturb one series.
const tries = 3

// subject is a function to be measured, with the event that it gets.
type subject struct {
	name     string
	function *runtime.Function
	event    []byte
}

// run prints one row a function.
func run(runs int, built, only string, check bool) error {
	built, err := filepath.Abs(built)
	if err != nil {
		return err
	}
	hello, err := filepath.Abs(".build/hello")
	if err != nil {
		return err
	}
	unpacked, err := os.MkdirTemp("", "coldstart-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(unpacked)
	if err := errors.Join(buildHello(hello), unpack(filepath.Join(unpacked, "hello"), hello)); err != nil {
		return err
	}
	subjects := []subject{{"hello", &runtime.Function{Name: "hello", Dir: filepath.Join(unpacked, "hello"),
		Timeout: 10 * time.Second, Log: io.Discard}, []byte("{}")}}
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
		dir := filepath.Join(unpacked, r.ID)
		if err := unpack(dir, filepath.Join(built, r.ID)); err != nil {
			return err
		}
		function := &runtime.Function{
			Name: r.ID, Dir: dir, Region: os.Getenv("AWS_REGION"),
			MemorySize: 512, Timeout: 29 * time.Second,
			Environment: environment(t, r), Log: io.Discard,
		}
		subjects = append(subjects, subject{r.ID, function, event})
		for schedule, input := range inputs(r) {
			subjects = append(subjects, subject{r.ID + " " + schedule, function, []byte(input)})
		}
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

// unpack copies a function to dir, as Lambda unpacks its archive. How the system keeps a file that a
// linker has just written decides how many of its pages count as memory: that made 2 MB of 24.
func unpack(dir, built string) error { return os.CopyFS(dir, os.DirFS(built)) }

// inputs returns the events that schedules of a function send instead of the usual one, by
// schedule.
func inputs(r template.Resource) map[string]string {
	out := map[string]string{}
	events, _ := r.Properties()["Events"].(map[string]any)
	for name, e := range events {
		event, _ := e.(map[string]any)
		properties, _ := event["Properties"].(map[string]any)
		if input, ok := properties["Input"].(string); ok {
			out[name] = input
		}
	}
	return out
}

// report prints the samples. Its error says which limits are exceeded.
func report(subjects []subject, samples []sample) error {
	base := samples[0]
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "function\tmedian ms\tp90 ms\t× hello\tleast CPU ms\t× hello\tMB\tbinary MB\t")
	var errs []error
	for i, s := range samples {
		name := subjects[i].name
		row(out, name, s, base)
		if l, ok := limits[name]; ok {
			errs = append(errs, exceededError(name, l, s, base))
		}
	}
	out.Flush()
	return errors.Join(errs...)
}

func exceededError(name string, l limit, s, base sample) error {
	var errs []error
	for _, v := range []struct {
		what     string
		got, max float64
	}{
		{"times the processor time of hello", s.leastCPU() / base.leastCPU(), l.ratio * busy},
		{"MB of memory", s.megabytes(), l.memory},
		{"MB of binary", s.binaryMegabytes(), l.binary},
	} {
		if v.got > v.max {
			errs = append(errs, fmt.Errorf("%s takes %.2f %s; the limit is %g", name, v.got, v.what, v.max))
		}
	}
	return errors.Join(errs...)
}

func buildHello(dir string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-tags",
		"lambda.norpc,nethttpomithttp2", "-ldflags", "-s -w -buildid=", "-o",
		filepath.Join(dir, "bootstrap"), "./scripts/coldstart/hello")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building hello: %w\n%s", err, text)
	}
	return nil
}

// environment returns the variables that the template gives a function, and the AWS variables with
// the endpoints. Their values are those of this process.
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
	out["GOMAXPROCS"], out["GOGC"] = "1", "400" // as in the template
	return out
}

// sample holds the runs of one function.
type sample struct {
	wall, cpu []float64 // ms, sorted
	memory    int64     // largest, in KiB
	binary    int64     // bytes
}

func (s sample) median() float64 { return s.wall[len(s.wall)/2] }

// leastCPU returns the 10th percentile of the processor time: such runs were disturbed least, as
// other work on the machine only adds time.
func (s sample) leastCPU() float64 { return s.cpu[len(s.cpu)/10] }

func (s sample) megabytes() float64 { return float64(s.memory) / 1024 }

func (s sample) binaryMegabytes() float64 { return float64(s.binary) / 1e6 }

// measure starts each function afresh for each run. They take turns, so that other work on the
// machine affects all of them alike.
func measure(runs int, subjects []subject) ([]sample, error) {
	samples := make([]sample, len(subjects))
	for range runs {
		for i, subject := range subjects {
			cost, err := subject.function.Cold(context.Background(), subject.event)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", subject.name, err)
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

// row prints the figures of a function. Its wall time includes the responses of the emulators; its
// processor time does not.
func row(out io.Writer, name string, s, base sample) {
	fmt.Fprintf(out, "%s\t%.1f\t%.1f\t%.2f\t%.1f\t%.2f\t%.1f\t%.1f\t\n", name, s.median(),
		s.wall[len(s.wall)*9/10], s.median()/base.median(),
		s.leastCPU(), s.leastCPU()/base.leastCPU(), s.megabytes(), s.binaryMegabytes())
}
