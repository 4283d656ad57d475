package links

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"sort"
	"strings"

	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/editing"
	"headless/pkg/menus"
	"headless/pkg/refs"
	"headless/pkg/site"
)

// Usage finds where media files and entries are used (extensions §6).
type Usage struct{ Store *content.Store }

// Use is one reference to a file or an entry.
type Use struct {
	Model  string     `json:"model"` // slug, "settings" or "menus"
	ID     string     `json:"id"`    // of the entry; group and key of a setting; slug of a menu
	Title  string     `json:"title"`
	Locale string     `json:"locale"` // "" for settings
	Status cms.Status `json:"status"` // "" for settings
	Path   string     `json:"path"`
	Draft  bool       `json:"draft,omitempty"` // the reference is in the draft of the entry only

	changed cms.Time
	public  bool
}

const (
	// maxHolders is how many possible holders are read for one answer.
	maxHolders = maxIncluded
	// glanceHolders is how many possible holders are read for a page that shows the target.
	glanceHolders = 400
	holderPart    = 400 // how many of them are read at a time
	// maxShownUses is how many uses an IN_USE error lists.
	maxShownUses = 20
)

// List lists the uses of a target, newest change first, without those that the caller may not read.
// With more than 2,000 possible holders, the total is an estimate.
func (u Usage) List(ctx context.Context, target string, p db.Paging) (db.Page[Use], error) {
	return u.list(ctx, target, p, maxHolders)
}

// Glance returns the first page of List for a page that shows the target. It reads at most 400
// possible holders; with more, the total is an estimate.
func (u Usage) Glance(ctx context.Context, target string) (db.Page[Use], error) {
	return u.list(ctx, target, db.Paging{Page: 1, PerPage: maxShownUses}, glanceHolders)
}

func (u Usage) list(ctx context.Context, target string, p db.Paging, limit int) (db.Page[Use], error) {
	uses, more, err := u.collectUses(ctx, target, walk{limit: limit})
	if err != nil {
		return db.Page[Use]{Paging: p, Items: []Use{}}, err
	}
	page := db.PageOf(readableUses(ctx, uses), p)
	if page.Estimate = more; page.Items == nil {
		page.Items = []Use{}
	}
	return page, nil
}

// readableUses returns the uses that the caller may read.
func readableUses(ctx context.Context, uses []Use) (readable []Use) {
	permitted := cms.PermissionsOf(ctx)
	for _, use := range uses {
		locale := use.Locale
		if use.Model == settingsModel || use.Model == cms.AreaMenus {
			locale = ""
		}
		if permitted.May(cms.ActionRead, use.Model, locale) {
			readable = append(readable, use)
		}
	}
	return readable
}

// settingsModel is the model of uses in the settings.
const settingsModel = "settings"

// walk says how collectUses searches for uses.
type walk struct {
	limit int  // maximum number of holders that are read
	first bool // stop at the first page with a use
	// interrupt makes concurrent saves of holders start over before the holders are read, until a
	// use is found.
	interrupt bool
}

// collectUses returns the uses of a target; more reports whether there are holders that were not read.
func (u Usage) collectUses(ctx context.Context, target string, w walk) (uses []Use, more bool, err error) {
	ctx = cms.WithPermissions(ctx, nil) // uses that the caller may not read count too
	site, err := u.Store.Site(ctx)
	if err != nil {
		return nil, false, err
	}
	var after *db.Holder
	for range w.limit / holderPart {
		holders, err := u.Store.Holders(ctx, target, after, holderPart)
		if err != nil || len(holders) == 0 {
			return newestFirst(uses), false, err
		}
		if w.interrupt && len(uses) == 0 {
			if err := u.Store.Interrupt(ctx, holders); err != nil {
				return nil, false, err
			}
		}
		found, stale, err := u.verify(ctx, site, target, holders)
		if err != nil {
			return nil, false, err
		}
		uses = append(uses, found...)
		if err := u.Store.Forget(ctx, target, stale); err != nil {
			return nil, false, err
		}
		if after = &holders[len(holders)-1]; len(holders) < holderPart || w.first && len(uses) > 0 {
			return newestFirst(uses), false, nil
		}
	}
	return newestFirst(uses), true, nil
}

func newestFirst(uses []Use) []Use {
	// Not slices.SortStableFunc: for a struct of this size it would add 9 KB of code to every
	// binary.
	sort.SliceStable(uses, func(i, j int) bool {
		a, b := &uses[i], &uses[j]
		return cmp.Or(b.changed.Compare(a.changed.Time), cmp.Compare(a.ID, b.ID)) < 0
	})
	return uses
}

// verify reads the holders and returns their uses of the target. stale holders do not refer to it
// any more. The draft of an entry in the trash is not stale, since both may be restored.
func (u Usage) verify(ctx context.Context, site *site.Site, target string,
	holders []db.Holder) (uses []Use, stale []db.Holder, err error) {
	var references, drafted []content.Reference
	var entryHolders []db.Holder
	for _, h := range holders {
		if isMenu := h.Kind == db.HolderMenu; isMenu || h.Kind == db.HolderSettings {
			// Reads the current configuration, since site may be stale.
			var found []Use
			if isMenu {
				found, err = u.inMenu(ctx, h.ID, target)
			} else {
				found, err = u.inSettings(ctx, target)
			}
			if err != nil {
				return nil, nil, err
			}
			if uses = append(uses, found...); len(found) == 0 {
				stale = append(stale, h)
			}
			continue
		}
		m := site.ModelByID(h.ModelID)
		if m == nil || h.ID == target { // its own references do not count
			continue
		}
		references = append(references, content.Reference{Model: m, ID: h.ID})
		entryHolders = append(entryHolders, h)
		if h.Kind == db.HolderDraft {
			drafted = append(drafted, references[len(references)-1])
		}
	}
	entries, err := u.Store.EntriesByID(ctx, references)
	if err != nil {
		return nil, nil, err
	}
	drafts, err := u.Store.Drafts(ctx, drafted)
	if err != nil {
		return nil, nil, err
	}
	for i, h := range entryHolders {
		var d *content.Draft
		if h.Kind == db.HolderDraft {
			d, drafts = drafts[0], drafts[1:]
		}
		found := usesOf(site, h, references[i].Model, entries[i], d, target)
		uses = append(uses, found...)
		// A draft has no use of its own where the entry refers to the target too, but has one once the entry does not.
		refers := len(found) > 0 || d != nil && d.Open && refs.TargetsOfPatch(d.Changes)[target]
		if !refers && (entries[i] != nil || h.Kind == db.HolderEntry) {
			stale = append(stale, h)
		}
	}
	return uses, stale, nil
}

// usesOf returns the uses in an entry or, if the holder is a draft, those that the draft d adds.
func usesOf(s *site.Site, h db.Holder, m *site.Model, e *cms.Entry, d *content.Draft, target string) []Use {
	if e == nil {
		return nil
	}
	use := Use{Model: m.Slug, ID: e.ID, Title: e.Title, Locale: e.Locale, Status: e.Status, changed: e.UpdatedAt}
	use.public = e.Status == cms.StatusPublished && s.Shows(m, e.Locale)
	paths := refs.PathsTo(&m.Model, e, target)
	if h.Kind == db.HolderDraft {
		if !d.Open {
			return nil
		}
		live := paths
		drafted := editing.Lay(m, e, d)
		use.Title, use.Draft, use.changed, use.public = drafted.Entry.Title, true,
			drafted.Info.UpdatedAt, false
		paths = slices.DeleteFunc(refs.PathsTo(&m.Model, drafted.Entry, target),
			func(path string) bool { return slices.Contains(live, path) })
	}
	var uses []Use
	public, visible := use.public, m.Visible()
	for _, path := range paths {
		name, ofField := strings.CutPrefix(path, "data.")
		name, _, _ = strings.Cut(name, ".")
		use.Path, use.public = path, public && (!ofField || visible.Field(name) != nil)
		uses = append(uses, use)
	}
	return uses
}

// inSettings returns the uses of a target in the settings.
func (u Usage) inSettings(ctx context.Context, target string) ([]Use, error) {
	site, err := u.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	var uses []Use
	for _, v := range site.Settings {
		for _, p := range refs.OfSetting(v) {
			if p.ID == target {
				name := v.Group + "." + v.Key
				uses = append(uses, Use{Model: settingsModel, ID: name, Title: name, Path: p.Path,
					public: v.IsPublic})
			}
		}
	}
	return uses, nil
}

// inMenu returns the uses of a target in the menu with a slug.
func (u Usage) inMenu(ctx context.Context, slug, target string) ([]Use, error) {
	m, paths, err := menus.HeldBy(ctx, u.Store.DB, slug, target)
	var uses []Use
	for _, path := range paths {
		locale, _, _ := strings.Cut(strings.TrimPrefix(path, "items."), ".")
		uses = append(uses, Use{Model: cms.AreaMenus, ID: slug, Title: m.Name, Locale: locale, Path: path,
			changed: m.UpdatedAt, public: true})
	}
	return uses, err
}

// usage is the details of an IN_USE error.
type usage struct {
	Usage []Use `json:"usage"`
	More  int   `json:"more,omitempty"` // number of uses that are not listed
}

// OnlyIfUnused reads the query parameter if_unused of a DELETE, whose only value is true. Error: BAD_REQUEST.
func OnlyIfUnused(q url.Values) (bool, error) {
	values := q["if_unused"]
	if len(values) > 1 || len(values) == 1 && values[0] != "true" {
		return false, cms.Errorf(cms.CodeBadRequest, "if_unused can only be true.")
	}
	return len(values) > 0, nil
}

// DeleteUnused deletes a target that has no uses: it calls remove, which adds the deletion to a
// transaction by FinishDeletion and commits it. Errors: those of remove, and IN_USE with the uses.
// These are all uses that the caller may read or, unless all is set, only public ones.
func (u Usage) DeleteUnused(ctx context.Context, target string, all bool, remove func(*db.Deletion) error) error {
	var d *db.Deletion
	err := u.Store.Retry(ctx, func() (err error) {
		d, err = u.Store.BeginDeletion(ctx, target)
		return err
	})
	var uses []Use
	var more bool
	if err == nil {
		uses, more, err = u.collectUses(ctx, target, walk{limit: maxHolders, interrupt: true})
	}
	switch {
	case err != nil:
	case len(uses) > 0:
		err = inUse(ctx, uses, all)
	case more:
		err = &cms.Error{Code: cms.CodeUnavailable,
			Message: "There are too many old references to check at once. Try again."}
	default:
		if err = remove(d); err == nil {
			return nil
		}
	}
	u.Store.CancelDeletion(context.WithoutCancel(ctx), d)
	return err
}

func inUse(ctx context.Context, uses []Use, all bool) error {
	shown := []Use{}
	for _, use := range readableUses(ctx, uses) {
		if (all || use.public) && len(shown) < maxShownUses {
			shown = append(shown, use)
		}
	}
	return &cms.Error{
		Code:    cms.CodeInUse,
		Message: "This is in use. Remove it from the places named in details.usage, or delete without if_unused.",
		Objects: usage{Usage: shown, More: len(uses) - len(shown)},
	}
}

// Used reports whether a target has any uses, or so many possible holders that this is unknown.
func (u Usage) Used(ctx context.Context, target string) (bool, error) {
	uses, more, err := u.collectUses(ctx, target, walk{limit: maxHolders, first: true})
	return len(uses) > 0 || more, err
}
