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

// lineTries is how often lines are sent at most if the service is too busy for them. Each pause
// between two tries is busyWait longer than the one before.
const (
	lineTries = 6
	busyWait  = time.Second
)

// sendBatch imports lines of a file and names those that were skipped or failed. numbers has their
// line numbers in the file. If a request takes the service too long, its lines are sent in halves;
// lines already imported are then unchanged. Lines for which the service was too busy are sent
// again; try counts from 1. sent is the number of lines in the smallest request that was answered.
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

// noteResults counts the results of the lines of a request. If again is true, it returns the
// indexes of lines for which the service was too busy instead of counting them.
func noteResults(a *client.Answer, file string, numbers []int, o Options, report *Report,
	again bool) (busy []int, err error) {
	var results []struct {
		Model, ID, Result string
		Error             *client.Error
		Note              string
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
		if content := o.contents[r.ID]; content != "" && (r.Error == nil || content == ResultFailed) {
			r.Result, r.Error = content, nil // if its bytes failed, that was reported already
		}
		report.Add(r.Result)
		switch {
		case r.Error != nil:
			o.refused[r.ID] = true
			fmt.Fprintf(os.Stderr, "%s was not taken: %s\n", name, r.Error)
		case r.Note != "":
			fmt.Fprintf(os.Stderr, "%s: %s\n", name, r.Note)
		case r.Result == ResultSkipped:
			fmt.Fprintf(os.Stderr, "%s was skipped: it differs from the one that is there\n", name)
		}
	}
	return busy, nil
}
