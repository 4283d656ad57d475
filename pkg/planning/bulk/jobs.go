package bulk

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/editing/takeback"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk/names"
	"headless/pkg/planning/lease"
	"headless/pkg/planning/reach"
	"headless/pkg/site"
	"headless/pkg/table"
)

// Jobs has the use cases of jobs (extensions §7).
type Jobs struct {
	Store   *content.Store
	Entries *editing.Entries
	Texts   map[string]takeback.PutText // by area; only Work needs it
}

// The actions of jobs in addition to planning.ActionPublish and planning.ActionUnpublish.
const (
	ActionArchive = "archive"
	ActionDelete  = "delete"
	ActionRestore = "restore"
	ActionSet     = "set"
	ActionRevert  = "revert" // takes back the last change of entries, if the caller made it
)

// Actions lists the actions of jobs.
var Actions = []string{planning.ActionPublish, planning.ActionUnpublish, ActionArchive, ActionDelete,
	ActionRestore, ActionSet, ActionRevert, ActionReplaceText}

// Status is the state of a job.
type Status string

// The states of a job.
const (
	Running Status = "running"
	Done    Status = "done"
	Stopped Status = "stopped"
	Failed  Status = "failed"
)

const (
	maxIDs      = 10_000
	maxIDBytes  = 100   // of a text in place of an id; all of a chunk fit one item of the table
	chunkSize   = 500   // ids in a row
	maxFailures = 1_000 // stored failures of a job
	KeptDays    = 30    // days for which a job is kept
	maxListed   = 2_000 // jobs that a list counts
	maxLooks    = 10    // searches for references that were added while a job replaces a file
)

// Job is the public form of a job.
type Job struct {
	ID        string    `json:"id"`
	Status    Status    `json:"status"`
	Total     int       `json:"total"`
	Done      int       `json:"done"` // number of handled entries, with failed ones
	Failed    []Failure `json:"failed"`
	Action    string    `json:"action"`
	Model     string    `json:"model"`
	Code      cms.Code  `json:"code"`    // why the job as a whole failed; "" if it did not
	Message   string    `json:"message"` // the same in words
	Actor     *string   `json:"actor"`
	CreatedAt cms.Time  `json:"created_at"`
	// Result says what became of the rows of a CSV file; nil for jobs of other actions.
	Result *CSVResult `json:"result,omitempty"`
	// Children is what the action does with the entries below; see package moving.
	Children string `json:"children,omitempty"`
	// Release is the id of the release whose changes the job takes back.
	Release string `json:"release,omitempty"`
}

// Failure is an entry that the action could not be applied to, with the reason.
type Failure struct {
	Model   string   `json:"model,omitempty"` // slug, in a job over several models
	ID      string   `json:"id"`
	Code    cms.Code `json:"code"`
	Message string   `json:"message"`
	// Stays is set if the entry was changed after the save that was to be taken back, so that no other job does it either.
	Stays bool `json:"-"`
}

// job is the stored form of a job. Every step replaces it in the transaction that changes an entry.
type job struct {
	ID          string      `json:"id"`
	Status      Status      `json:"status"`
	Action      string      `json:"action"`
	Force       bool        `json:"force,omitempty"`
	Children    string      `json:"children,omitempty"`      // see package moving
	Target      string      `json:"target,omitempty"`        // file or entry that is replaced, or a release
	With        string      `json:"with,omitempty"`          // what replaces it
	Find        string      `json:"find,omitempty"`          // text that is replaced
	Put         string      `json:"put,omitempty"`           // text that replaces it
	Of          string      `json:"of,omitempty"`            // job that is taken back; it noted the versions it saved
	Until       cms.Time    `json:"until"`                   // end of the job that is taken back; later saves stay
	Starter     string      `json:"starter,omitempty"`       // id of the user who started that job
	Undoes      string      `json:"undoes,omitempty"`        // action of that job
	Source      string      `json:"source,omitempty"`        // that job, if all that it changed is taken back
	TakenBackBy string      `json:"taken_back_by,omitempty"` // job that takes back all that this one changed
	Left        int         `json:"left,omitempty"`          // entries that undos before this one left for good
	Ended       cms.Time    `json:"ended"`
	Cursor      string      `json:"cursor,omitempty"` // of the next page to collect
	Collected   bool        `json:"collected"`        // all ids are stored
	Looks       int         `json:"looks,omitempty"`  // how often new references to the file were searched for
	Known       int         `json:"known,omitempty"`  // items before the last of these searches
	Chunks      int         `json:"chunks"`
	Total       int         `json:"total"`
	Done        int         `json:"done"`
	Below       int         `json:"below,omitempty"` // entries that were handled because of Children
	Failures    int         `json:"failures"`
	Code        cms.Code    `json:"code,omitempty"`
	Message     string      `json:"message,omitempty"`
	Actor       cms.Actor   `json:"actor"` // who started it, by whose rights it runs
	CreatedAt   cms.Time    `json:"created_at"`
	Lease       lease.Lease `json:"lease"`
	CSV         *csvJob     `json:"csv,omitempty"` // of a job that imports a file

	names.Names

	version int64
}

func (j *job) expires() int64 { return j.CreatedAt.AddDate(0, 0, KeptDays).Unix() }

// putOp returns the operation that stores the job. It fails if the job changed after it was read.
func (j *job) putOp() table.Op {
	j.version++
	return table.PutNext(table.Item{Key: jobKey(j.ID), Body: db.Pack(j), Expires: j.expires()}, j.version-1)
}

// listRow returns the row of the job in the list, which tells who may read it.
func (j *job) listRow() table.Item {
	return table.Item{Key: listKey(j.ID), Body: []byte(cmp.Or(j.ModelID, j.Model) + "/" + j.Actor.UserID),
		Expires: j.expires()}
}

func (j *job) public() Job {
	s := Job{
		ID: j.ID, Status: j.Status, Total: j.Total + j.Below, Done: j.Done + j.Below, Failed: []Failure{},
		Action: j.Action, Model: j.Model,
		Code: j.Code, Message: j.Message, CreatedAt: j.CreatedAt, Result: j.result(), Children: j.Children,
	}
	if j.Action == ActionUndoRelease {
		s.Release = j.Target
	}
	if j.Actor.Name != "" {
		s.Actor = &j.Actor.Name
	}
	return s
}

var errNoJob = cms.Errorf(cms.CodeNotFound, "There is no such job.")

func (s *Jobs) readJob(ctx context.Context, id string) (*job, error) {
	if !cms.IsUUID(id) {
		return nil, errNoJob
	}
	items, err := s.Store.Table.Get(ctx, table.Strong, jobKey(id), site.ConfigKey(db.RandomShard()))
	if err != nil {
		return nil, err
	}
	if items[0] == nil {
		return nil, errNoJob
	}
	now, err := s.Store.SiteAt(ctx, items[1])
	if err != nil {
		return nil, err
	}
	return decodeRow(now, items[0])
}

// decodeRow decodes the row of a job. Its model may have another slug since the job was started.
func decodeRow(now *site.Site, item *table.Item) (*job, error) {
	j := &job{version: item.Version}
	err := db.Unpack(item.Body, j)
	j.Model = names.Slug(now, j.ModelID, j.Model)
	return j, err
}

// openJob reads a job; NOT_FOUND if there is none, or if it is hidden from the caller.
func (s *Jobs) openJob(ctx context.Context, actor cms.Actor, id string) (*job, error) {
	j, err := s.readJob(ctx, id)
	if err != nil {
		return nil, err
	}
	shown, err := s.shows(ctx, actor, j.Model, j.Actor.UserID)
	if err == nil && !shown {
		err = errNoJob
	}
	return j, err
}

// shows reports whether the caller may read a job of a model: one's own, and those of others if the caller
// may read the model in every locale, since jobs name and count entries of all locales.
func (s *Jobs) shows(ctx context.Context, actor cms.Actor, model, startedBy string) (bool, error) {
	if !reach.Shows(ctx, reach.Target{Model: model}) {
		return false, nil
	}
	if cms.PermissionsOf(ctx) == nil || startedBy != "" && startedBy == actor.UserID {
		return true, nil
	}
	targets, err := s.targets(ctx, model)
	return err == nil && reach.Shows(ctx, targets...), err
}

// mayStop returns FORBIDDEN unless the caller started the job or may do its action in every locale.
func (s *Jobs) mayStop(ctx context.Context, actor cms.Actor, j *job) error {
	action := cms.ActionWrite
	if j.Action == ActionDelete {
		action = cms.ActionDelete
	}
	if actor.UserID != "" && actor.UserID == j.Actor.UserID {
		return reach.Check(ctx, []cms.Action{action}, reach.Target{Model: j.Model})
	}
	return s.mayDo(ctx, j, []cms.Action{action})
}

// openToStop reads a job that the caller may stop.
func (s *Jobs) openToStop(ctx context.Context, actor cms.Actor, id string) (*job, error) {
	j, err := s.openJob(ctx, actor, id)
	if err == nil {
		err = s.mayStop(ctx, actor, j)
	}
	return j, err
}

// MayStop returns FORBIDDEN if Stop does, whether the job runs or not.
func (s *Jobs) MayStop(ctx context.Context, actor cms.Actor, id string) error {
	_, err := s.openToStop(ctx, actor, id)
	return err
}

// mayDo returns FORBIDDEN unless the caller may do the actions in every locale of a job's model.
func (s *Jobs) mayDo(ctx context.Context, j *job, actions []cms.Action) error {
	targets, err := s.targets(ctx, j.Model)
	if err != nil {
		return err
	}
	return reach.Check(ctx, actions, targets...)
}

func isArea(name string) bool { return slices.Contains(cms.Areas(), name) }

// targets returns the model of a job in every locale, or its area.
func (s *Jobs) targets(ctx context.Context, model string) ([]reach.Target, error) {
	if isArea(model) {
		return []reach.Target{{Model: model}}, nil
	}
	site, err := s.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	targets := make([]reach.Target, len(site.Locales))
	for i, l := range site.Locales {
		targets[i] = reach.Target{Model: model, Locale: l.Code}
	}
	return targets, nil
}

// Get reads a job with those of its first 1,000 failures that the caller may read; NOT_FOUND if there is none.
func (s *Jobs) Get(ctx context.Context, actor cms.Actor, id string) (Job, error) {
	j, err := s.openJob(ctx, actor, id)
	if err != nil {
		return Job{}, err
	}
	return s.show(ctx, actor, j)
}

// Changed lists the ids of the entries that a job has changed so far; NOT_FOUND if there is no such job. It reads the
// ids of the page alone.
func (s *Jobs) Changed(ctx context.Context, actor cms.Actor, id string, p db.Paging) (page db.Page[string],
	err error) {
	page.Paging = p
	j, err := s.openJob(ctx, actor, id)
	if err != nil {
		return page, err
	}
	if j.CSV != nil { // those of a file are counted alone
		page.Total = j.savedRows()
		return page, nil
	}
	left, err := s.leftOf(ctx, j.ID, 0, j.Done)
	w := &jobWork{s: s, job: j, chunk: -1}
	for i := 0; err == nil && i < j.Done; i++ {
		if left[leftKey(j.ID, i)] {
			continue
		}
		if page.Total++; page.Total > p.Offset() && len(page.Items) < p.PerPage {
			var next string
			next, err = w.idAt(ctx, i)
			page.Items = append(page.Items, next)
		}
	}
	return page, err
}

// show returns the public form of a job that the caller may read. A job over several models is shown without the
// failures in models whose jobs are hidden from the caller.
func (s *Jobs) show(ctx context.Context, actor cms.Actor, j *job) (Job, error) {
	shown := j.public()
	if j.Failures == 0 {
		return shown, nil
	}
	rows, err := s.failures(ctx, j.ID)
	permitted := map[string]bool{} // by model
	for _, f := range rows {
		model := cmp.Or(f.Model, j.Model)
		if _, known := permitted[model]; !known {
			if permitted[model], err = s.shows(ctx, actor, model, j.Actor.UserID); err != nil {
				return shown, err
			}
		}
		if !permitted[model] {
			continue
		}
		shown.Failed = append(shown.Failed, f.Failure)
		if r := shown.Result; r != nil {
			r.Failed = append(r.Failed, f.Problems[:min(len(f.Problems), maxFailures-len(r.Failed))]...)
		}
	}
	return shown, err
}

// failures returns the stored failures of a job.
func (s *Jobs) failures(ctx context.Context, id string) (list []failedRow, err error) {
	rows, err := s.Store.Table.Query(ctx, table.Range{Partition: jobPartition(id), Prefix: failurePrefix,
		Limit: maxFailures})
	for _, row := range rows {
		var f failedRow
		if err := db.Unpack(row.Body, &f); err != nil {
			return nil, err
		}
		f.Failure.Stays = f.Stays
		list = append(list, f)
	}
	return list, err
}

// List lists the jobs of the last 30 days that the caller may read, newest first, at most 25 per page.
func (s *Jobs) List(ctx context.Context, actor cms.Actor, p db.Paging) (db.Page[Job], error) {
	p.PerPage = min(p.PerPage, 25)
	all, err := s.Store.Table.Query(ctx, table.Range{Partition: listPartition, Reverse: true, Limit: maxListed})
	if err != nil {
		return db.Page[Job]{Paging: p}, err
	}
	now, err := s.Store.Site(ctx)
	if err != nil {
		return db.Page[Job]{Paging: p}, err
	}
	estimate := len(all) == maxListed
	var rows []table.Item
	permitted := map[string]bool{} // by model and starter
	for _, row := range all {
		of := string(row.Body)
		if _, known := permitted[of]; !known {
			model, startedBy, _ := strings.Cut(of, "/")
			if permitted[of], err = s.shows(ctx, actor, names.Slug(now, model, model), startedBy); err != nil {
				return db.Page[Job]{Paging: p}, err
			}
		}
		if permitted[of] {
			rows = append(rows, row)
		}
	}
	ids := db.PageOf(rows, p)
	page := db.Page[Job]{Paging: p, Total: ids.Total, Estimate: estimate}
	for _, row := range ids.Items {
		j, err := s.readJob(ctx, row.Sort)
		if cms.CodeOf(err) == cms.CodeNotFound {
			continue // the job has expired, but not yet its row of the list
		}
		if err != nil {
			return page, err
		}
		shown, err := s.show(ctx, actor, j)
		if err != nil {
			return page, err
		}
		page.Items = append(page.Items, shown)
	}
	return page, nil
}

// Create starts a job from its body. Errors: VALIDATION_FAILED, QUERY_NOT_INDEXED.
func (s *Jobs) Create(ctx context.Context, actor cms.Actor, body map[string]any) (Job, error) {
	site, err := s.Store.Site(ctx)
	if err != nil {
		return Job{}, err
	}
	in, err := s.decodeJob(ctx, site, body)
	if err != nil {
		return Job{}, err
	}
	tx := s.Store.Begin()
	in.ID, in.Status, in.Actor, in.CreatedAt = uuid.Must(uuid.NewV7()).String(), Running, actor, tx.At()
	if in.Of != "" {
		if err := s.takeBackJob(ctx, actor, tx, &in); err != nil {
			return Job{}, err
		}
	}
	j := in.job
	switch {
	case in.byFilter:
		page, err := (&jobWork{s: s, job: &j}).nextFound(ctx, 1)
		if err != nil {
			return Job{}, onFilter(err)
		}
		j.Total = page.Total
	case in.ids != nil:
		j.Collected, j.Total = true, len(in.ids)
		if err := s.putIDs(ctx, &j, in.ids); err != nil {
			return Job{}, err
		}
	}
	return s.beginJob(ctx, tx, &j)
}

// beginJob stores a new job and sets its timer.
func (s *Jobs) beginJob(ctx context.Context, tx *db.Tx, j *job) (Job, error) {
	now, err := s.Store.Site(ctx)
	if err != nil {
		return Job{}, err
	}
	if m := now.Models[j.Model]; m != nil {
		j.ModelID, j.Gen = m.ID, cmp.Or(j.Gen, m.Gen)
	}
	tx.Do(j.putOp(), nil)
	tx.Put(j.listRow())
	tx.SetTimer(db.Timer{At: tx.At(), Kind: KindJob, Ref: j.ID})
	tx.Activity(j.Actor, "job.created", "job "+j.Action+" "+j.Model, j.ID)
	return j.public(), s.Store.Commit(ctx, tx)
}

// putIDs writes the chunks of a new job.
func (s *Jobs) putIDs(ctx context.Context, j *job, ids []string) error {
	var rows []table.Item
	for chunk := range slices.Chunk(ids, chunkSize) {
		rows = append(rows, table.Item{Key: chunkKey(j.ID, len(rows)), Body: db.Pack(chunk), Expires: j.expires()})
	}
	j.Chunks = len(rows)
	return s.Store.Table.BatchWrite(ctx, rows, nil)
}

// Stop ends a running job. Its changes so far stay. Errors: NOT_FOUND, and CONFLICT if the job has
// ended.
func (s *Jobs) Stop(ctx context.Context, actor cms.Actor, id string) error {
	return s.Store.Retry(ctx, func() error {
		j, err := s.openToStop(ctx, actor, id)
		if err != nil {
			return err
		}
		if j.Status != Running {
			return cms.Errorf(cms.CodeConflict, "This job has already ended.")
		}
		tx := s.Store.Begin()
		j.Status, j.Ended = Stopped, tx.At()
		tx.Do(j.putOp(), db.ErrOvertaken)
		tx.Activity(actor, "job.stopped", "job "+j.Action+" "+j.Model, j.ID)
		return s.Store.Commit(ctx, tx)
	})
}
