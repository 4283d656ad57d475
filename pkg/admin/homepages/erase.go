package homepages

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"headless/pkg/admin/frame"
	"headless/pkg/cms"
	"headless/pkg/content"
	"headless/pkg/db"
	"headless/pkg/db/logs"
	"headless/pkg/planning"
	"headless/pkg/planning/bulk"
	"headless/pkg/site"
)

var errHasAccount = cms.Errorf(cms.CodeConflict, "A user has this address. Delete the account first.")

// erase removes an address from everything that the service holds (extensions §11). The activity log is last, so
// that the same request goes on after a fault.
func (h peopleHandlers) erase(c *frame.Call) (frame.Result, error) {
	email := strings.ToLower(strings.TrimSpace(c.R.URL.Query().Get("email")))
	if !cms.ValidEmail(email) {
		return frame.Result{}, cms.Problems{"email": {"must be an e-mail address"}}.Err()
	}
	ctx := c.R.Context()
	found, err := h.person(ctx, email)
	if err != nil {
		return frame.Result{}, err
	}
	if len(found.Users) > 0 {
		return frame.Result{}, errHasAccount
	}
	name, err := h.erasedName(ctx, email)
	if err != nil {
		return frame.Result{}, err
	}
	if err := h.eraseDeliveries(ctx, email, name, found.Submissions); err != nil {
		return frame.Result{}, err
	}
	for _, v := range found.Submissions {
		if err := h.sent.Delete(ctx, c.Actor(), v.Form, v.ID); err != nil {
			return frame.Result{}, err
		}
	}
	for _, v := range found.Invitations {
		if err := h.invited.Withdraw(ctx, c.Actor(), v.ID); err != nil {
			return frame.Result{}, err
		}
	}
	if err := h.comments.Erase(ctx, email); err != nil {
		return frame.Result{}, err
	}
	if err := h.eraseNames(ctx, email, name); err != nil {
		return frame.Result{}, err
	}
	tx := h.st.Begin()
	tx.Activity(c.Actor(), "person.erased", name)
	return frame.Result{Status: http.StatusNoContent, Redirect: "/people?ok=deleted"}, h.st.Commit(ctx, tx)
}

// erasedName returns the name that replaces an address, the same each time. Only this service can make it.
func (h peopleHandlers) erasedName(ctx context.Context, email string) (string, error) {
	keyed, err := h.st.EncodeCursor(ctx, []byte("erased"), email)
	sum := sha256.Sum256([]byte(keyed))
	return frame.Erased + hex.EncodeToString(sum[:4]), err
}

// replacing returns a function that puts a name in place of an address.
func replacing(email, name string) func(text []byte) []byte {
	address := regexp.MustCompile(`(?i)(^|[^a-z0-9._%+-])` + regexp.QuoteMeta(email) +
		`($|[^a-z0-9.-]|\.($|[^a-z0-9]))`)
	return func(text []byte) []byte {
		for range 2 { // two of them may share the character between
			text = address.ReplaceAll(text, []byte("${1}"+name+"${2}"))
		}
		return text
	}
}

// forgetting returns a function that does what replacing does, and replaces the name of the account too where the
// address is that of an account.
func forgetting(email, name string) func(text []byte) []byte {
	replace := replacing(email, name)
	return func(text []byte) []byte {
		text = replace(text)
		if bytes.Contains(text, []byte(`"email":"`+name+`"`)) {
			text = accountName().ReplaceAll(text, []byte(`"name":"`+name+`"`))
		}
		return text
	}
}

// eraseDeliveries removes from the logs of webhooks what some submissions hold, and puts a name in place of an address.
// It comes before the submissions are deleted, so that the same request finds them again after a fault.
func (h peopleHandlers) eraseDeliveries(ctx context.Context, email, name string, sent []sentForm) error {
	forget := forgetting(email, name)
	return h.st.Hooks.Rewrite(ctx, []string{cms.EventFormSubmissionCreated, cms.EventUserCreated},
		func(doc []byte) ([]byte, error) {
			var body struct {
				Data map[string]json.RawMessage `json:"data"`
			}
			var id string
			if json.Unmarshal(doc, &body) != nil || json.Unmarshal(body.Data["id"], &id) != nil ||
				len(body.Data["fields"]) == 0 || !slices.ContainsFunc(sent, func(v sentForm) bool { return v.ID == id }) {
				return forget(doc), nil
			}
			return bytes.Replace(doc, body.Data["fields"], []byte("{}"), 1), nil
		})
}

// eraseNames puts a name in place of an address in the activity log, and in the revisions, drafts and
// plans of the entries and in the jobs and releases that the log names.
func (h peopleHandlers) eraseNames(ctx context.Context, email, name string) error {
	now, err := h.st.Site.Site(ctx)
	if err != nil {
		return err
	}
	replace := replacing(email, name)
	savers := func(doc []byte) ([]byte, error) { return replaceSavers(doc, replace) }
	all := func(doc []byte) ([]byte, error) { return replace(doc), nil }
	erased := map[string]bool{}
	return logs.Rewrite(ctx, h.st.DB, forgetting(email, name), func(line db.Activity) error {
		if line.SubjectID == nil {
			return nil
		}
		id := *line.SubjectID
		kind, _, _ := strings.Cut(line.Event, ".")
		if erased[kind+id] { // records of previews name an entry too
			return nil
		}
		erased[kind+id] = true
		switch kind {
		case "job":
			return h.st.RewriteRows(ctx, bulk.RowsOfStarter(id), savers)
		case "release":
			return h.st.RewriteRows(ctx, planning.RowsOfRelease(id), all)
		case "entry":
			model, err := h.modelOf(ctx, now, line)
			if err != nil || model == "" {
				return err
			}
			if err := h.st.RewriteRows(ctx, content.RowsOfSavers(model, id), savers); err != nil {
				return err
			}
			return h.st.RewriteRows(ctx, planning.RowsOfPlanner(model, id), all)
		}
		return nil
	})
}

// modelOf returns the id of the model of the entry that a line of the log is about, "" if the entry is gone. The line
// has the slug that the model had then.
func (h peopleHandlers) modelOf(ctx context.Context, now *site.Site, line db.Activity) (string, error) {
	id := *line.SubjectID
	found, err := h.st.Content.Addresses(ctx, []string{id})
	if a, ok := found[id]; ok || err != nil {
		return a.ModelID, err
	}
	rec, err := h.st.Content.FromTrash(ctx, now, id)
	if err == nil {
		return rec.ModelID, nil
	}
	if slug, _ := entryIn(line); errors.Is(err, db.ErrNotFound) && now.Models[slug] != nil {
		return now.Models[slug].ID, nil
	}
	return "", db.Missing(err, nil)
}

// accountName finds the name of an account in an activity record or event.
var accountName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`"name":"(?:[^"\\]|\\.)*"`)
})

// replaceSavers applies replace to the keys of a revision, draft or job that name people, and leaves its content
// as it is.
func replaceSavers(doc []byte, replace func([]byte) []byte) ([]byte, error) {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(doc, &keys); err != nil {
		return nil, err
	}
	differs := false
	for _, key := range []string{"actor", "actors", "info"} {
		if was := keys[key]; was != nil {
			keys[key] = replace(was)
			differs = differs || !bytes.Equal(keys[key], was)
		}
	}
	if !differs {
		return doc, nil
	}
	return cms.Marshal(keys)
}
