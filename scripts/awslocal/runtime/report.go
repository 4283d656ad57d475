package runtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// ReportType is the type of the line for an event. Lambda logs it if its own lines are enabled
// (SystemLogLevel INFO).
const ReportType = "platform.report"

// ThrottleType is the type of the line for an event above the Limit. Lambda counts these in a
// metric and does not log them.
const ThrottleType = "awslocal.throttle"

// Line is a line for Reports, encoded as JSON.
type Line struct {
	Time     time.Time `json:"time"`
	Type     string    `json:"type"`
	Function string    `json:"function"` // on Lambda, the log group names it
	Record   *Record   `json:"record,omitempty"`
}

// Record is the result and the cost of an event.
type Record struct {
	Status  string  `json:"status"` // success, error, failure or timeout
	Metrics Metrics `json:"metrics"`
}

// Metrics are the figures of an event.
type Metrics struct {
	DurationMs       float64 `json:"durationMs"`
	BilledDurationMs int64   `json:"billedDurationMs"` // including the start of a copy
	MemorySizeMB     int     `json:"memorySizeMB"`
	MaxMemoryUsedMB  int     `json:"maxMemoryUsedMB,omitempty"` // of the copy; not after its end, and only on Linux
	InitDurationMs   float64 `json:"initDurationMs,omitempty"`  // only for a cold start
	// ProcessorMs is the processor time since the last event, for a cold start with that of the start.
	// Lambda does not report it.
	ProcessorMs int64 `json:"awslocalProcessorMs,omitempty"`
}

// ticks is how many units of processor time in /proc/<pid>/stat make a second, on all of Linux.
const ticks = 100

// usageOf reads the peak memory and the processor time of a process, 0 if they are not known.
func usageOf(pid int) (peakMB int, processorMs int64) {
	folder := fmt.Sprintf("/proc/%d/", pid)
	status, _ := os.ReadFile(folder + "status")
	if _, line, ok := strings.Cut(string(status), "VmHWM:"); ok {
		kb, _ := strconv.Atoi(strings.Fields(line)[0])
		peakMB = (kb + 1023) / 1024
	}
	stat, _ := os.ReadFile(folder + "stat")
	_, after, _ := strings.Cut(string(stat), ") ") // the name of the program may have spaces
	if fields := strings.Fields(after); len(fields) > 12 {
		user, _ := strconv.ParseInt(fields[11], 10, 64)
		system, _ := strconv.ParseInt(fields[12], 10, 64)
		processorMs = (user + system) * 1000 / ticks
	}
	return peakMB, processorMs
}

// reportStart logs an event for which no copy could be started.
func (f *Function) reportStart(err error) {
	if errors.Is(err, ErrThrottled) {
		f.log(Line{Type: ThrottleType})
		return
	}
	f.log(Line{Type: ReportType, Record: &Record{Status: "failure", Metrics: Metrics{MemorySizeMB: f.MemorySize}}})
}

// report logs an event that a copy handled from began until now.
func (f *Function) report(status string, began time.Time, e *environment) {
	took := time.Since(began)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	peak, processor := usageOf(e.process.Process.Pid)
	f.log(Line{Type: ReportType, Record: &Record{Status: status, Metrics: Metrics{
		DurationMs:       ms(took),
		BilledDurationMs: int64((took + e.init + time.Millisecond - 1) / time.Millisecond),
		MemorySizeMB:     f.MemorySize, InitDurationMs: ms(e.init),
		MaxMemoryUsedMB: peak, ProcessorMs: max(0, processor-e.processor),
	}}})
	e.processor = processor
}

func (f *Function) log(l Line) {
	if f.Reports == nil {
		return
	}
	l.Time, l.Function = time.Now().UTC(), f.Name
	text, err := json.Marshal(l)
	if err != nil {
		return // cannot fail for numbers and texts
	}
	f.Reports.Write(append(text, '\n'))
}
