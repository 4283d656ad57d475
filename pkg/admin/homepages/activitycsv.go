package homepages

import (
	"encoding/json"

	"headless/pkg/admin/frame"
	"headless/pkg/cms"
	"headless/pkg/csvfile"
	"headless/pkg/db"
	"headless/pkg/db/logs"
	"headless/pkg/input"
	"headless/pkg/rooms"
)

const (
	csvPages = 5       // pages of a file at most; each reads a bounded number of lines
	csvPage  = 1000    // lines of a page
	csvSize  = 4 << 20 // bytes after which a file ends: a Lambda response holds at most 6 MB
)

// activityCSV sends the activity log as a CSV file. If it does not fit in one response, the Link
// header has the URL of the next part.
func activityCSV(c *frame.Call, st *rooms.Stores) (frame.Result, error) {
	q, err := readLogQuery(c, logs.ActivityFilters()...)
	if err != nil {
		return frame.Result{}, err
	}
	var file csvfile.File
	file.Add("time", "actor", "source", "event", "subject", "subject_id", "address", "request_id", "before", "after")
	size := 0
	q.Paging, q.Uncounted = db.Paging{Page: 1, PerPage: csvPage}, true
	for range csvPages {
		page, err := logs.Activity(c.R.Context(), st.DB, q)
		if err != nil {
			return frame.Result{}, err
		}
		for _, line := range page.Items {
			size += addActivity(&file, line)
		}
		if q.Cursor = page.Next; q.Cursor == "" || size > csvSize {
			break
		}
	}
	body := file.Bytes()
	tx := st.Begin()
	tx.Audit(c.Actor(), "export.made", "activity", "", nil, map[string]any{"query": c.R.URL.Query()})
	return c.CSVFile("activity.csv", body, q.Cursor), st.Commit(c.R.Context(), tx)
}

// addActivity adds a line and returns its approximate size in bytes.
func addActivity(file *csvfile.File, line db.Activity) int {
	text := func(s *string) string { return input.Given(s, "") }
	before, after := jsonCell(line.Before), jsonCell(line.After)
	file.Add(line.Time.String(), text(line.Actor), line.Source, line.Event, line.Subject,
		text(line.SubjectID), text(line.Address),
		line.RequestID, before, after)
	return len(line.Subject) + len(before) + len(after) + 150
}

// jsonCell returns the value before or after a change as JSON, "" if the log has none.
func jsonCell(v any) string {
	if v == nil {
		return ""
	}
	text, err := json.Marshal(v)
	if err != nil {
		return cms.Shorten(err.Error())
	}
	return string(text)
}
