package forms

import (
	"cmp"
	"context"
	"reflect"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// Forms has the use cases of forms: their definitions, not their submissions.
type Forms struct{ Store *Store }

// formInput is the body of a form's create and update.
type formInput struct {
	Name            *string           `json:"name"`
	Slug            *string           `json:"slug"`
	Fields          *[]formFieldInput `json:"fields"`
	SuccessMessage  *string           `json:"success_message"`
	SuccessURL      *string           `json:"success_url"`
	IsActive        *bool             `json:"is_active"`
	NotifyEmails    *[]string         `json:"notify_emails"`
	Recaptcha       **recaptchaInput  `json:"recaptcha"`
	BlockEmails     *[]string         `json:"block_emails"`
	BlockDisposable *bool             `json:"block_disposable"`
	Consent         *string           `json:"consent"`
	RetentionDays   *int              `json:"retention_days"`
}

type formFieldInput struct {
	Name     *string   `json:"name"`
	Label    *string   `json:"label"`
	Type     *string   `json:"type"`
	Required *bool     `json:"required"`
	Max      *int      `json:"max"`
	Options  *[]string `json:"options"`
	Mimes    *[]string `json:"mimes"`
}

type recaptchaInput struct {
	SiteKey   *string  `json:"site_key"`
	SecretKey *string  `json:"secret_key"`
	MinScore  *float64 `json:"min_score"`
}

// List lists all forms by name.
func (f *Forms) List(ctx context.Context, p db.Paging) (db.Page[cms.Form], error) {
	if err := input.Permit(ctx, cms.ActionRead, cms.AreaForms, "form"); err != nil {
		return db.Page[cms.Form]{}, err
	}
	site, err := f.Store.Site(ctx)
	if err != nil {
		return db.Page[cms.Form]{}, err
	}
	forms := make([]cms.Form, 0, len(site.Forms))
	for _, form := range site.Forms {
		forms = append(forms, *form)
	}
	cms.SortBy(forms, func(f cms.Form) string { return cms.NameOrder(f.Name) + "\x00" + f.Slug })
	return db.PageOf(forms, p), nil
}

// Get reads a form; NOT_FOUND when there is none.
func (f *Forms) Get(ctx context.Context, slug string) (cms.Form, error) {
	if err := input.Permit(ctx, cms.ActionRead, cms.AreaForms, "form"); err != nil {
		return cms.Form{}, err
	}
	_, form, err := f.Store.readForm(ctx, slug)
	return form, err
}

// readForm returns the configuration and a form in it; NOT_FOUND if there is none.
func (s *Store) readForm(ctx context.Context, slug string) (now *site.Site, form cms.Form, err error) {
	if now, err = s.Site(ctx); err == nil {
		form, err = formOf(now, slug)
	}
	return now, form, err
}

func formOf(site *site.Site, slug string) (cms.Form, error) {
	if form := site.Forms[slug]; form != nil {
		return *form, nil
	}
	return cms.Form{}, input.NotFound(db.ErrNotFound, "form")
}

// PublicForm returns a form that visitors may submit. Errors: FORM_NOT_FOUND, FORM_INACTIVE.
func PublicForm(site *site.Site, slug string) (*cms.Form, error) {
	form := site.Forms[slug]
	switch {
	case form == nil:
		return nil, cms.Errorf(cms.CodeFormNotFound, "There is no such form.")
	case !form.IsActive:
		return nil, cms.Errorf(cms.CodeFormInactive, "This form does not accept submissions at the moment.")
	}
	return form, nil
}

// Create adds a form. Errors: VALIDATION_FAILED, and CONFLICT if another form has the slug.
func (f *Forms) Create(ctx context.Context, actor cms.Actor, body map[string]any) (cms.Form, error) {
	if err := input.PermitPublic(ctx, cms.ActionWrite, cms.AreaForms, "form"); err != nil {
		return cms.Form{}, err
	}
	id := uuid.NewString()
	return f.changeForm(ctx, actor, "form.created", "", body, func(_ *site.Site, tx *db.Tx) (cms.Form, error) {
		form := cms.NewForm()
		form.ID, form.CreatedAt = id, tx.At()
		return form, nil
	})
}

// Update changes a form. Its slug may change too; its submissions stay. A reCAPTCHA configuration
// without secret_key keeps the stored secret.
func (f *Forms) Update(ctx context.Context, actor cms.Actor, slug string, body map[string]any,
	ok input.Precondition[cms.Form]) (cms.Form, error) {
	if err := input.PermitPublic(ctx, cms.ActionWrite, cms.AreaForms, "form"); err != nil {
		return cms.Form{}, err
	}
	return f.changeForm(ctx, actor, "form.updated", slug, body, func(site *site.Site, _ *db.Tx) (cms.Form, error) {
		form, err := formOf(site, slug)
		if err != nil {
			return form, err
		}
		return form, ok.Check(form)
	})
}

// changeForm applies a body to the form that read returns, and commits it. was is the form's former
// slug, "" for a new form.
func (f *Forms) changeForm(ctx context.Context, actor cms.Actor, event, was string, body map[string]any,
	read func(*site.Site, *db.Tx) (cms.Form, error)) (form cms.Form, err error) {
	in, known := decodeForm(body)
	err = site.ChangeSite(ctx, f.Store.Store, func(siteNow *site.Site, tx *db.Tx) (err error) {
		if form, err = read(siteNow, tx); err != nil {
			return err
		}
		p := cms.Problems{}
		p.Merge(known)
		in.applyTo(&form)
		checkForm(p, &form)
		if err := f.Store.CheckSuccessURL(ctx, p, siteNow, &form); err != nil {
			return err
		}
		if err := p.Err(); err != nil {
			return err
		}
		if err := in.sealSecret(f.Store.DB, &form); err != nil {
			return err
		}
		if other := siteNow.Forms[form.Slug]; other != nil && other.ID != form.ID {
			return cms.Errorf(cms.CodeConflict, "There is already a form with the slug %q.", form.Slug)
		}
		if changed := changedForms(siteNow.Forms[was], form); changed != nil {
			site.NoteSchema(tx, actor, nil, changed)
		}
		form.UpdatedAt = tx.At()
		site.PutForm(tx, siteNow, was, form)
		tx.Activity(actor, event, "form "+form.Slug, form.Slug)
		return nil
	})
	return form, err
}

// Delete removes a form. Its submissions with their mails and files are removed later, see
// Submissions.PurgeExpired.
func (f *Forms) Delete(ctx context.Context, actor cms.Actor, slug string) error {
	if err := input.PermitPublic(ctx, cms.ActionDelete, cms.AreaForms, "form"); err != nil {
		return err
	}
	return site.ChangeSite(ctx, f.Store.Store, func(siteNow *site.Site, tx *db.Tx) error {
		if _, err := formOf(siteNow, slug); err != nil {
			return err
		}
		DropForm(tx, siteNow, slug)
		site.NoteSchema(tx, actor, nil, []string{slug})
		tx.Activity(actor, "form.deleted", "form "+slug, slug)
		return nil
	})
}

// changedForms returns the slugs of a form that was saved, if it differs from the stored one: the
// present one, and the former one after a change.
func changedForms(old *cms.Form, now cms.Form) []string {
	if old == nil {
		return []string{now.Slug}
	}
	same := *old
	same.UpdatedAt = now.UpdatedAt
	switch {
	case reflect.DeepEqual(same, now):
		return nil
	case old.Slug != now.Slug:
		return []string{now.Slug, old.Slug}
	}
	return []string{now.Slug}
}

func (in *formInput) applyTo(form *cms.Form) {
	form.Name = input.Given(in.Name, form.Name)
	form.Slug = input.Given(in.Slug, form.Slug)
	form.SuccessURL = input.Given(in.SuccessURL, form.SuccessURL)
	form.SuccessMessage = input.Given(in.SuccessMessage, form.SuccessMessage)
	form.IsActive = input.Given(in.IsActive, form.IsActive)
	form.NotifyEmails = input.Given(in.NotifyEmails, form.NotifyEmails)
	form.BlockEmails = input.Given(in.BlockEmails, form.BlockEmails)
	form.BlockDisposable = input.Given(in.BlockDisposable, form.BlockDisposable)
	form.Consent = strings.TrimSpace(input.Given(in.Consent, form.Consent))
	form.RetentionDays = input.Given(in.RetentionDays, form.RetentionDays)
	if in.Fields != nil {
		form.Fields = slice.Map(*in.Fields, func(f formFieldInput) cms.FormField { return f.toField() })
	}
	if in.Recaptcha != nil {
		form.Recaptcha = (*in.Recaptcha).applyTo(form.Recaptcha)
	}
}

// decodeForm decodes the body of a create or an update.
func decodeForm(body map[string]any) (formInput, cms.Problems) {
	in, p := input.Decode[formInput](body)
	for i, f := range input.Given(in.Fields, nil) {
		if input.Given(f.Max, 1) == 0 { // stored, 0 means no maximum
			p.Add("fields."+strconv.Itoa(i)+".max", "must be a whole number from 1 to %d", maxFormMax)
		}
	}
	return in, p
}

func (in *formFieldInput) toField() cms.FormField {
	f := cms.FormField{
		Name: input.Given(in.Name, ""), Label: input.Given(in.Label, ""),
		Type: input.Given(in.Type, cms.FormText), Required: input.Given(in.Required, false),
		Max: input.Given(in.Max, 0), Options: input.Given(in.Options, nil),
		Mimes: input.Given(in.Mimes, nil),
	}
	f.Label = cmp.Or(f.Label, f.Name)
	if f.Type == cms.FormHoneypot {
		f.Label = ""
	}
	return f
}

// sealSecret encrypts the secret key of the form if the input holds one.
func (in *formInput) sealSecret(d *db.DB, form *cms.Form) (err error) {
	if in.Recaptcha == nil || *in.Recaptcha == nil || form.Recaptcha == nil ||
		input.Given((*in.Recaptcha).SecretKey, "") == "" {
		return nil
	}
	form.Recaptcha.SecretKey, err = d.SealText(form.Recaptcha.SecretKey)
	return err
}

// applyTo returns the configuration of the input. A nil input, or one without any key, gives none.
func (in *recaptchaInput) applyTo(was *cms.Recaptcha) *cms.Recaptcha {
	if in == nil {
		return nil
	}
	r := cms.Recaptcha{SiteKey: input.Given(in.SiteKey, ""),
		SecretKey: input.Given(in.SecretKey, ""), MinScore: in.MinScore}
	if r.SiteKey == "" && r.SecretKey == "" {
		return nil
	}
	if r.SecretKey == "" && was != nil {
		r.SecretKey = was.SecretKey
	}
	return &r
}
