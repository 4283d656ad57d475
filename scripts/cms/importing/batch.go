package importing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"time"

	"headless/scripts/cms/client"
)

// How often lines are sent that a busy service did not take, and how much longer each time is the
// pause before.
const (
	lineTries = 6
	busyWait  = time.Second
)

// sendBatch imports some lines of a file, which have these numbers there, and names those that were
// skipped or not taken. Lines for which the service needs too long are sent in halves: those that
// were taken meanwhile stay as they are. Those that a busy service did not take are sent again, as
// try says. It returns how many lines there were in a request, at least, that was answered.
func sendBatch(c *client.Client, file string, numbers []int, lines []byte, o Options,
	report *Report, try int) (sent int, err error) {
	q := url.Values{"on_conflict": {o.OnConflict}, "dry_run": {strconv.FormatBool(o.DryRun)}}
	a, err := c.Send(http.MethodPost, "/admin/import?"+q.Encode(), "application/x-ndjson", lines)
	if client.IsGateway(err) && len(numbers) > 1 {
		half, at := len(numbers)/2, 0
		for range half {
			at += bytes.IndexByte(lines[at:], '\n') + 1
		}
		if sent, err = sendBatch(c, file, numbers[:half], lines[:at], o, report, try); err != nil {
			return sent, err
		}
		second, err := sendBatch(c, file, numbers[half:], lines[at:], o, report, try)
		return min(sent, second), err
	}
	if err != nil {
		return 0, err
	}
	busy, err := noteResults(a, file, numbers, o, report, try < lineTries)
	if err != nil || len(busy) == 0 {
		return len(numbers), err
	}
	time.Sleep(time.Duration(try) * busyWait)
	list, rest := bytes.SplitAfter(lines, []byte("\n")), []byte{}
	var restNumbers []int
	for _, at := range busy {
		rest, restNumbers = append(rest, list[at]...), append(restNumbers, numbers[at])
	}
	_, err = sendBatch(c, file, restNumbers, rest, o, report, try+1)
	return len(numbers), err
}

// noteResults counts what became of the lines of a request. It returns those that were not taken
// since the service was busy, where they can be sent again.
func noteResults(a *client.Answer, file string, numbers []int, o Options, report *Report,
	again bool) (busy []int, err error) {
	var results []struct {
		Model, ID, Result string
		Error             *client.Error
	}
	if err := json.Unmarshal(a.Data, &results); err != nil {
		return nil, err
	}
	for i, r := range results {
		if again && r.Error != nil && r.Error.Code == "SERVICE_UNAVAILABLE" && i < len(numbers) {
			busy = append(busy, i)
			continue
		}
		name := o.name(r.Model, r.ID)
		if r.ID == "" && i < len(numbers) {
			name = fmt.Sprintf("%s.jsonl, line %d,", file, numbers[i])
		}
		if content := o.contents[r.ID]; content != "" && (r.Error == nil || content == resultFailed) {
			r.Result, r.Error = content, nil // it was named where its bytes were not taken
		}
		report.Add(r.Result)
		switch {
		case r.Error != nil:
			fmt.Fprintf(os.Stderr, "%s was not taken: %s\n", name, r.Error)
		case r.Result == resultSkipped:
			fmt.Fprintf(os.Stderr, "%s was skipped: it differs from the one that is there\n", name)
		}
	}
	return busy, nil
}
