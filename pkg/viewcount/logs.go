package viewcount

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"headless/pkg/blob"
	"headless/pkg/input"
)

const (
	// logPrefix begins the keys of the log files; template.yaml names it too.
	logPrefix = "views/"
	// maxFiles is the maximum number of log files in one run, so that it ends in time.
	maxFiles = 500
	// maxLine is the maximum length of a line of a log file in bytes.
	maxLine = 256 << 10
)

// Logs reads the standard log files of a CloudFront distribution, which answers views itself.
type Logs struct {
	Store
	Files blob.Store
}

// Run adds the views in up to maxFiles log files and deletes the files. A file that cannot be read
// stays, until the bucket deletes it.
func (l Logs) Run(ctx context.Context) error {
	var errs []error
	n := 0
	for file, err := range l.Files.List(ctx, logPrefix, "") {
		if err != nil {
			return errors.Join(append(errs, err)...)
		}
		if n++; n > maxFiles || ctx.Err() != nil {
			break
		}
		if err := l.countView(ctx, file.Key); err != nil {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (l Logs) countView(ctx context.Context, key string) error {
	file, err := l.Files.Get(ctx, key, blob.Range{})
	if err != nil {
		return err
	}
	defer file.Body.Close()
	views, err := readLog(file.Body)
	if err == nil {
		err = l.Add(ctx, path.Base(key), views)
	}
	if err != nil {
		return err
	}
	return l.Files.Delete(ctx, key)
}

// readLog returns the views in a log file. It looks at no column that tells anything of a visitor.
func readLog(file io.Reader) (map[View]int, error) {
	plain, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	views := map[View]int{}
	lines := bufio.NewScanner(plain)
	lines.Buffer(nil, maxLine)
	var columns []string
	for lines.Scan() {
		if names, ok := strings.CutPrefix(lines.Text(), "#Fields:"); ok {
			columns = strings.Fields(names)
			continue
		}
		values := strings.Split(lines.Text(), "\t")
		column := func(name string) string {
			if i := slices.Index(columns, name); i >= 0 && i < len(values) {
				return values[i]
			}
			return ""
		}
		if column("cs-method") != "GET" || column("sc-status") != "204" {
			continue
		}
		if v, ok := viewOf(column("cs-uri-stem"), column("cs-uri-query")); ok {
			v.Day = column("date")
			views[v]++
		}
	}
	return views, lines.Err()
}

// viewOf returns the view that a path and a query ask for, without its day.
func viewOf(stem, query string) (View, bool) {
	at := strings.Split(stem, "/") // "", delivery, v1, key, seen
	if len(at) != 5 || at[1] != "delivery" || at[2] != "v1" || at[4] != "seen" {
		return View{}, false
	}
	params, err := url.ParseQuery(query)
	if err != nil {
		return View{}, false
	}
	id, ok := input.CanonicalID(params.Get("e"))
	return View{Key: at[3], Entry: id}, ok
}
