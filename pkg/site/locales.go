package site

import (
	"cmp"
	"context"
	"reflect"
	"regexp"
	"sync"

	"golang.org/x/text/language"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// Locales are the use cases of the languages of the site.
type Locales struct {
	Store *Store
	// InUse reports whether a locale has entries, including those in the trash.
	InUse func(ctx context.Context, code string) (bool, error)
}

// localeInput is the body of a locale's create and update.
type localeInput struct {
	Code       *string  `json:"code"`
	Name       *string  `json:"name"`
	NativeName *string  `json:"native_name"`
	Direction  *string  `json:"direction"`
	IsDefault  *bool    `json:"is_default"`
	SortOrder  *int     `json:"sort_order"`
	IsActive   *bool    `json:"is_active"`
	Fallback   **string `json:"fallback"`
}

// localeCode matches a language with an optional script and region in their usual case: en, de-AT,
// zh-Hans, es-419. It is compiled on first use, since most functions never use it.
var localeCode = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$`)
})

// List lists all locales in their order, including inactive ones.
func (l *Locales) List(ctx context.Context, p db.Paging) (db.Page[cms.Locale], error) {
	all, err := l.All(ctx)
	return db.PageOf(all, p), err
}

// All returns all locales in their order, including inactive ones.
func (l *Locales) All(ctx context.Context) ([]cms.Locale, error) {
	site, err := l.Store.Site(ctx)
	if err != nil {
		return nil, err
	}
	return site.Locales, nil
}

// Get reads a locale; NOT_FOUND if there is none.
func (l *Locales) Get(ctx context.Context, code string) (cms.Locale, error) {
	site, err := l.Store.Site(ctx)
	if err != nil {
		return cms.Locale{}, err
	}
	return localeOf(site, code)
}

func localeOf(site *Site, code string) (cms.Locale, error) {
	if v := site.Locale(code); v != nil {
		return *v, nil
	}
	return cms.Locale{}, input.NotFound(db.ErrNotFound, "locale")
}

// Create adds a locale. CONFLICT if its code is taken.
func (l *Locales) Create(ctx context.Context, actor cms.Actor, body map[string]any) (cms.Locale, error) {
	in, p := input.Decode[localeInput](body)
	code := input.Given(in.Code, "")
	p.Require("code", code)
	// filter[locale]=any means all locales.
	if len(p["code"]) == 0 && (!localeCode().MatchString(code) || code == "any") {
		p.Add("code", "must be a language code such as en, de-AT or zh-Hans")
	}
	return l.changeLocale(ctx, actor, "locale.created", func(site *Site) (cms.Locale, error) {
		v := newLocale(site)
		v.Code, v.Direction = code, directionOf(code)
		if site.Locale(code) != nil {
			return v, cms.Errorf(cms.CodeConflict, "There is a locale %s already.", code)
		}
		return v, in.applyTo(&v, p, site)
	})
}

// New returns a locale with the defaults of a new one; its direction depends on its code.
func (l *Locales) New(ctx context.Context) (cms.Locale, error) {
	site, err := l.Store.Site(ctx)
	if err != nil {
		return cms.Locale{}, err
	}
	return newLocale(site), nil
}

// newLocale returns a locale that is sorted after the others.
func newLocale(site *Site) cms.Locale {
	v := cms.Locale{IsActive: true}
	for _, other := range site.Locales {
		v.SortOrder = max(v.SortOrder, other.SortOrder+1)
	}
	return v
}

// directionOf returns the direction of a language's usual script.
func directionOf(code string) string {
	script, _ := language.Make(code).Script()
	switch script.String() {
	case "Arab", "Hebr", "Syrc", "Thaa", "Nkoo", "Adlm", "Rohg", "Mand", "Samr":
		return "rtl"
	}
	return "ltr"
}

// Update changes a locale, except its code. If it becomes the default, the former default ceases to
// be.
func (l *Locales) Update(ctx context.Context, actor cms.Actor, code string, body map[string]any,
	ok input.Precondition[cms.Locale]) (cms.Locale, error) {
	in, p := input.Decode[localeInput](body)
	if in.Code != nil && *in.Code != code {
		p.Add("code", "cannot be changed")
	}
	return l.changeLocale(ctx, actor, "locale.updated", func(site *Site) (cms.Locale, error) {
		v, err := localeOf(site, code)
		if err != nil {
			return v, err
		}
		if err := ok.Check(v); err != nil {
			return v, err
		}
		wasActive := v.IsActive
		if err := in.applyTo(&v, p, site); err != nil || v.IsActive || !wasActive {
			return v, err
		}
		return v, checkNoFallback(site, v.Code)
	})
}

// changeLocale commits the locale that next returns. If it becomes the default, the former default is
// changed too.
func (l *Locales) changeLocale(ctx context.Context, actor cms.Actor, event string,
	next func(*Site) (cms.Locale, error)) (v cms.Locale, err error) {
	err = ChangeSite(ctx, l.Store, func(site *Site, tx *db.Tx) (err error) {
		if v, err = next(site); err != nil {
			return err
		}
		was := site.Locale(v.Code)
		if was == nil || !reflect.DeepEqual(*was, v) {
			codes := []string{v.Code}
			if v.IsDefault && v.Code != site.Default {
				codes = append(codes, site.Default)
			}
			NoteLocales(tx, actor, codes...)
		}
		if v.IsDefault {
			MakeDefault(tx, site, v)
		} else {
			PutLocales(tx, site, v)
		}
		tx.Activity(actor, event, "locale "+v.Code, v.Code)
		return nil
	})
	return v, err
}

// KindDefault is the kind of the timer that is set when another locale becomes the default one; see
// groups.CoverAll.
const KindDefault = "default"

// MakeDefault stores a locale as the default. The former default ceases to be.
func MakeDefault(tx *db.Tx, site *Site, v cms.Locale) {
	v.IsDefault = true
	changed := []cms.Locale{v}
	if former := site.Locale(site.Default); former != nil && former.Code != v.Code {
		was := *former
		was.IsDefault = false
		changed = append(changed, was)
		tx.SetTimer(db.Timer{At: tx.At(), Kind: KindDefault})
	}
	PutLocales(tx, site, changed...)
}

// applyTo applies the input to a locale. The error has the problems of the result and the known
// problems.
func (in *localeInput) applyTo(v *cms.Locale, known cms.Problems, site *Site) error {
	p := cms.Problems{}
	p.Merge(known)
	wasDefault := v.IsDefault
	v.Name = input.Given(in.Name, v.Name)
	v.NativeName = input.Given(in.NativeName, v.NativeName)
	v.SortOrder = input.Given(in.SortOrder, v.SortOrder)
	v.IsActive = input.Given(in.IsActive, v.IsActive)
	v.IsDefault = input.Given(in.IsDefault, v.IsDefault)
	if in.Direction != nil && *in.Direction != "" {
		v.Direction = *in.Direction
	}
	if in.Fallback != nil {
		if v.Fallback = *in.Fallback; v.Fallback != nil && *v.Fallback == "" {
			v.Fallback = nil
		}
		checkFallback(p, site, v)
	}
	input.CheckName(p, v.Name)
	p.LimitLength("native_name", v.NativeName, input.MaxName)
	if v.Direction != "ltr" && v.Direction != "rtl" {
		p.Add("direction", "must be ltr or rtl")
	}
	switch {
	case wasDefault && !v.IsDefault:
		p.Add("is_default", "cannot be unset: make another locale the default")
	case wasDefault && !v.IsActive:
		p.Add("is_active", "cannot be unset: this is the default locale")
	case v.IsDefault && !v.IsActive:
		p.Add("is_default", "cannot be set: the locale is not active")
	}
	if site.Default == "" && v.IsActive { // the first locale of a site
		v.IsDefault = true
	}
	return p.Err()
}

// Delete deletes a locale. CONFLICT for the default locale and for one in use.
func (l *Locales) Delete(ctx context.Context, actor cms.Actor, code string) error {
	closed := false  // whether this call may have deactivated the locale
	var unused int64 // the version of the inactive locale that has no entries
	err := l.Store.Retry(ctx, func() error {
		site, err := l.Store.Site(ctx)
		if err != nil {
			return err
		}
		v, err := unneededLocale(site, code)
		if err != nil {
			return err
		}
		// The check reads counters of all models, so it is not repeated because of other changes of
		// the site that come meanwhile.
		if version := site.docs.locales[code].Version; version != unused {
			if err := l.checkUnused(ctx, site, v); err != nil {
				return err
			}
			// An entry may be saved after the check. Inactive locales accept none, so deactivate the
			// locale and check again.
			if v.IsActive {
				closed = true
				return cmp.Or(l.setActive(ctx, code, false, unneededLocale), db.ErrOvertaken)
			}
			unused = version
		}
		tx := l.Store.Begin()
		DeleteLocale(tx, site, code)
		tx.Activity(actor, "locale.deleted", "locale "+code, code)
		NoteLocales(tx, actor, code)
		return l.Store.Commit(ctx, tx)
	})
	if err != nil && closed {
		// A request that has ended must not leave the locale switched off either.
		return cmp.Or(l.setActive(context.WithoutCancel(ctx), code, true, localeOf), err)
	}
	return err
}

// unneededLocale returns a locale. CONFLICT if it is the default one or another falls back on it.
func unneededLocale(site *Site, code string) (cms.Locale, error) {
	v, err := localeOf(site, code)
	switch {
	case err != nil:
		return v, err
	case v.IsDefault:
		return v, cms.Errorf(cms.CodeConflict, "The default locale cannot be deleted.")
	}
	return v, checkNoFallback(site, code)
}

// checkUnused returns CONFLICT if a locale has entries. It looks at an inactive one only when no save
// that found it active can commit any more.
func (l *Locales) checkUnused(ctx context.Context, site *Site, v cms.Locale) error {
	if !v.IsActive {
		if err := site.ConfirmFence(ctx); err != nil {
			return err
		}
	}
	used, err := l.InUse(ctx, v.Code)
	if err == nil && used {
		return cms.Errorf(cms.CodeConflict, "Entries use the locale %s.", v.Code)
	}
	return err
}

// setActive opens or closes the locale that find returns.
func (l *Locales) setActive(ctx context.Context, code string, active bool,
	find func(*Site, string) (cms.Locale, error)) error {
	return ChangeSite(ctx, l.Store, func(site *Site, tx *db.Tx) error {
		v, err := find(site, code)
		if err != nil {
			return err
		}
		PutOpenLocales(tx, site, active, v)
		return nil
	})
}

// EnsureDefault makes English the default locale of a site without locales.
func (l *Locales) EnsureDefault(ctx context.Context) error {
	return l.Store.Retry(ctx, func() error {
		site, err := l.Store.Site(ctx)
		if err != nil || len(site.Locales) > 0 {
			return err
		}
		tx := l.Store.Begin()
		PutLocales(tx, site, cms.Locale{Code: "en", Name: "English", NativeName: "English",
			Direction: "ltr", IsDefault: true, IsActive: true})
		actor := cms.Actor{Source: cms.SourceAdmin}
		tx.Activity(actor, "locale.created", "locale en", "en")
		NoteLocales(tx, actor, "en")
		return l.Store.Commit(ctx, tx)
	})
}
