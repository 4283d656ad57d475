package homepages

import (
	"bytes"
	"net/http"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"headless/pkg/admin/frame"
	"headless/pkg/assets"
	"headless/pkg/assets/upload"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/menus"
	"headless/pkg/transfer"
	"headless/pkg/web"
)

// Limits of one import request.
const (
	maxImport      = 4 << 20 // bytes
	maxImportLines = 1000
	importWorkers  = 8
)

// ImportRoutes returns the routes that import the content of an export (extensions §10).
func ImportRoutes(entries transfer.Importer, files *assets.Media, m *menus.Menus) []frame.Route {
	h := importHandlers{entries, files, m}
	return []frame.Route{
		{Method: "POST", Pattern: "/import", Role: cms.RoleUserAdmin, Handle: h.lines},
		{Method: "POST", Pattern: "/import/media", Role: cms.RoleUserAdmin, Handle: h.content},
		{Method: "POST", Pattern: "/import/media/direct", Role: cms.RoleUserAdmin, Handle: h.direct},
	}
}

type importHandlers struct {
	entries transfer.Importer
	files   *assets.Media
	menus   *menus.Menus
}

// importLine is the result of one line.
type importLine struct {
	Line   int          `json:"line"` // from 1
	Model  string       `json:"model"`
	ID     string       `json:"id"`
	Result string       `json:"result"` // created, updated, unchanged, skipped or failed
	Error  *importError `json:"error"`
	Note   string       `json:"note,omitempty"` // what was changed to take the line
}

// importError says why a line failed.
type importError struct {
	Code    cms.Code     `json:"code"`
	Message string       `json:"message"`
	Details cms.Problems `json:"details,omitempty"`
}

func importErrorOf(e *cms.Error) *importError { return &importError{e.Code, e.Message, e.Details} }

// lines imports JSON lines, each an entry with its model or a media file. A line that fails does
// not stop the others.
func (h importHandlers) lines(c *frame.Call) (frame.Result, error) {
	options, err := importOptions(c)
	if err != nil {
		return frame.Result{}, err
	}
	body, err := web.ReadBody(c.R, maxImport)
	if err != nil {
		return frame.Result{}, err
	}
	lines := bytes.Split(bytes.TrimRight(body, "\n"), []byte("\n"))
	if len(lines) > maxImportLines {
		return frame.Result{}, cms.Errorf(cms.CodePayloadTooLarge, "Send at most %d lines at once.", maxImportLines)
	}
	results, entries := make([]importLine, len(lines)), h.entries.NewBatch()
	var g errgroup.Group
	g.SetLimit(importWorkers)
	for _, group := range linesByID(lines, results) {
		g.Go(func() error {
			for _, i := range group.at {
				h.line(c, entries, &results[i], group.bodies[i], options)
			}
			return nil
		})
	}
	_ = g.Wait()
	counts := map[string]int{input.ImportCreated: 0, input.ImportUpdated: 0,
		input.ImportUnchanged: 0, input.ImportSkipped: 0, "failed": 0}
	for _, r := range results {
		counts[r.Result]++
	}
	return frame.Result{Data: results, Meta: counts, Redirect: "/"}, nil
}

// lineGroup has the lines with the same id and those below it in a tree, which are imported in order.
type lineGroup struct {
	at     []int
	bodies map[int]map[string]any
}

// linesByID decodes the lines and groups them by id. Lines that cannot be decoded fail here.
func linesByID(lines [][]byte, results []importLine) []*lineGroup {
	byID := map[string]*lineGroup{}
	var groups []*lineGroup
	for i, line := range lines {
		results[i] = importLine{Line: i + 1, Result: "failed"}
		if len(bytes.TrimSpace(line)) == 0 {
			results[i].Error = &importError{Code: cms.CodeBadRequest, Message: "The line is empty."}
			continue
		}
		body, err := cms.DecodeObject(line)
		if err != nil {
			results[i].Error = importErrorOf(frame.AsError(err))
			continue
		}
		results[i].Model, _ = body["model"].(string)
		results[i].ID, _ = body["id"].(string)
		id := strings.ToLower(results[i].ID)
		if parent, _ := body["parent"].(string); parent != "" && byID[id] == nil { // it must come after its parent
			byID[id] = byID[strings.ToLower(parent)]
		}
		group := byID[id]
		if group == nil {
			group = &lineGroup{bodies: map[int]map[string]any{}}
			byID[id], groups = group, append(groups, group)
		}
		group.at, group.bodies[i] = append(group.at, i), body
	}
	return groups
}

// line imports one line and stores its result in r.
func (h importHandlers) line(c *frame.Call, entries *transfer.Batch, r *importLine,
	body map[string]any, o input.ImportOptions) {
	var id string
	var err error
	switch r.Model {
	case "":
		err = cms.Problems{"model": {"is required"}}.Err()
	case "media":
		id, r.Result, err = h.files.Import(c.R.Context(), c.Actor(), body, o)
	case cms.AreaMenus:
		id, r.Result, err = h.menus.Import(c.R.Context(), c.Actor(), body, o)
	default:
		id, r.Result, r.Note, err = entries.Import(c.R.Context(), c.Actor(), r.Model, body, o)
	}
	if id != "" {
		r.ID = id
	}
	if err != nil {
		r.Result = "failed"
		r.Error = importErrorOf(web.Safe(c.A.Cfg.Log, c.RequestID, err))
	}
}

func importOptions(c *frame.Call) (input.ImportOptions, error) {
	q := c.R.URL.Query()
	dry, err := web.Flag(q, "dry_run")
	o := input.ImportOptions{OnConflict: input.ImportNewer, DryRun: dry}
	if q.Has("on_conflict") {
		o.OnConflict = q.Get("on_conflict")
	}
	if !slices.Contains([]string{input.ImportNewer, input.ImportSkip, input.ImportFail}, o.OnConflict) {
		return o, cms.Errorf(cms.CodeBadRequest, "on_conflict is skip, newer or fail.")
	}
	return o, err
}

// content stores a file under the id that it has in the export.
func (h importHandlers) content(c *frame.Call) (frame.Result, error) {
	form := c.R.MultipartForm
	if form == nil || len(form.File["file"]) != 1 {
		return frame.Result{}, cms.Errorf(cms.CodeUnsupportedMedia, "Send one file as multipart/form-data.")
	}
	header := form.File["file"][0]
	if header.Size > h.files.MaxBytes {
		return frame.Result{}, frame.FileTooLarge(h.files.MaxBytes)
	}
	file, err := header.Open()
	if err != nil {
		return frame.Result{}, err
	}
	defer file.Close()
	text := func(name string) string { return c.R.PostFormValue(name) }
	created, err := assets.ImportTime(text("created_at"))
	if err != nil {
		return frame.Result{}, err
	}
	m, err := h.files.ImportContent(c.R.Context(), c.Actor(), &upload.Upload{
		ID: text("id"), Name: upload.CleanName(header.Filename), File: file, Size: header.Size,
		Alt: text("alt"), Alts: text("alts"), Caption: text("caption"), CreatedAt: created,
	}, text("sha256"))
	return frame.Result{Status: http.StatusCreated, Data: m, Redirect: "/media/" + m.ID}, err
}

// direct begins the direct upload of a file that is too large for a request; it is completed like
// any direct upload to the library.
func (h importHandlers) direct(c *frame.Call) (frame.Result, error) {
	body, err := web.DecodeBody(c.R)
	if err != nil {
		return frame.Result{}, err
	}
	begun, err := h.files.ImportDirect(c.R.Context(), body)
	return frame.Result{Status: http.StatusCreated, Data: begun}, err
}
