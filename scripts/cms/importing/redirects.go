package importing

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"

	"headless/scripts/cms/client"
	"headless/scripts/cms/sources"
)

// batchRedirects is the greatest number of redirects in one request.
const batchRedirects = 500

// putRedirects creates the redirects of a source, or changes existing ones from the same path.
// Files that were not imported get none.
func putRedirects(c *client.Client, redirects []sources.Redirect, lost map[string]string,
	report *SourceReport) error {
	known := map[string]string{}
	var lines [][]string
	for _, r := range redirects {
		to := r.To
		if id, ok := strings.CutPrefix(to, sources.Placeholder("")); ok {
			if lost[id] != "" {
				continue
			}
			to = fileAddress(c, id, known)
		}
		lines = append(lines, []string{r.From, to, "301"})
	}
	for len(lines) > 0 {
		batch := lines[:min(batchRedirects, len(lines))]
		lines = lines[len(batch):]
		if err := sendRedirects(c, batch, report); err != nil {
			return err
		}
	}
	return nil
}

// sendRedirects sends redirects and names those that failed.
func sendRedirects(c *client.Client, lines [][]string, report *SourceReport) error {
	var body bytes.Buffer
	w := csv.NewWriter(&body)
	if err := w.WriteAll(lines); err != nil {
		return err
	}
	a, err := c.Send(http.MethodPost, "/admin/redirects.csv", "text/csv", body.Bytes())
	if err != nil {
		return err
	}
	var done struct {
		Created, Updated int
		Failed           []struct {
			Line    int
			Message string
		}
	}
	if err := json.Unmarshal(a.Data, &done); err != nil {
		return err
	}
	report.Redirects += done.Created + done.Updated
	for _, f := range done.Failed {
		report.Failed++
		fmt.Fprintf(os.Stderr, "redirect %s was not taken: %s\n", lines[f.Line-1][0], f.Message)
	}
	return nil
}
