package assets

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"unicode/utf8"

	"headless/pkg/assets/upload"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// mediaInput has the properties of a file that can be changed.
type mediaInput struct {
	Name     *string      `json:"name"`
	Alt      *string      `json:"alt"`
	Caption  *string      `json:"caption"`
	FolderID *string      `json:"folder_id"`
	Focal    **focalInput `json:"focal"`
	Crop     **cropInput  `json:"crop"`

	Decorative *bool `json:"decorative"`

	Tags *[]string `json:"tags"`

	Alts *map[string]string `json:"alts"` // the locales that change; "" removes a text
}

// Update changes a file's texts, name, folder, focal point or crop. Its object does not change. Errors:
// FILE_NOT_FOUND, VALIDATION_FAILED.
func (s *Media) Update(ctx context.Context, actor cms.Actor, id string, body map[string]any,
	ok input.Precondition[cms.Media]) (cms.Media, error) {
	if err := input.PermitPublic(ctx, cms.ActionWrite, cms.AreaMedia, "file"); err != nil {
		return cms.Media{}, err
	}
	in, decoding := input.Decode[mediaInput](body, "url", "mime", "size", "width", "height", "folder", "placeholder")
	var updated cms.Media
	err := s.Store.Retry(ctx, func() error {
		m, _, before, err := s.readToChange(ctx, id, ok)
		if err != nil {
			return err
		}
		p := cms.Problems{}
		p.Merge(decoding)
		if err := s.applyCrop(in.Crop, m, p); err != nil { // before the focal point, which is one of that crop
			return err
		}
		in.applyTo(m, p)
		s.checkName(p, in.Name, m.Mime)
		if err := s.applyAlts(ctx, in.Alts, m, p); err != nil {
			return err
		}
		folder, err := s.findFolder(ctx, p, m.FolderID, in.FolderID != nil)
		if err != nil {
			return err
		}
		if err := p.Err(); err != nil {
			return err
		}
		tx := s.Store.Begin()
		if in.FolderID != nil {
			if err := putInto(tx, m, folder); err != nil {
				return err
			}
		}
		if err := s.keepTags(ctx, tx, m, before.Tags); err != nil {
			return err
		}
		if updated = s.toShown(m, folder); reflect.DeepEqual(before, updated) {
			return nil // nothing to store, and nothing to purge
		}
		if err := permitAlts(ctx, s, before, updated, cms.ActionWrite, cms.ActionPublish); err != nil {
			return err
		}
		PutMedia(tx, *m, !reflect.DeepEqual(published(before), published(updated)))
		tx.Activity(actor, cms.EventMediaUpdated, "file "+m.Name, m.ID)
		tx.Event(actor, cms.EventMediaUpdated, "", updated)
		return s.Store.Commit(ctx, tx)
	})
	return updated, err
}

// PutAlt returns the function that saves the alternative text of a file in a locale, unless ok refuses to have it in
// place of the present one.
func PutAlt(s *Media) func(_ context.Context, _ cms.Actor, id, locale, text string, ok func(now string) error) error {
	return func(ctx context.Context, actor cms.Actor, id, locale, text string, ok func(now string) error) error {
		_, err := s.Update(ctx, actor, id, map[string]any{"alts": map[string]any{locale: text}},
			func(m cms.Media) error { return ok(m.Alts[locale]) })
		return err
	}
}

// published returns the properties of a file that published answers show.
func published(m cms.Media) cms.Media {
	m.Caption, m.Folder, m.FolderID, m.Decorative, m.Tags = "", "", "", false, nil
	return m
}

func (in *mediaInput) applyTo(m *Asset, p cms.Problems) {
	m.Name = input.Given(in.Name, m.Name)
	m.Alt = input.Given(in.Alt, m.Alt)
	m.Caption = input.Given(in.Caption, m.Caption)
	m.FolderID = input.Given(in.FolderID, m.FolderID)
	m.Decorative = input.Given(in.Decorative, m.Decorative)
	if in.Tags != nil {
		m.Tags = CleanTags(*in.Tags)
		checkTags(p, m.Tags)
	}
	if in.Focal != nil {
		(*in.Focal).applyTo(m, p)
	}
	checkMediaTexts(p, m.Alt, m.Caption)
}

// localesOfAlts returns a function that reports whether a file with some texts may have one in a locale: in those of
// the site, and in others if it has a text from the time when the site had them.
func (s *Media) localesOfAlts(ctx context.Context, was map[string]string) (func(code string) bool, error) {
	locales, err := s.Locales(ctx)
	return func(code string) bool {
		return was[code] != "" || slices.ContainsFunc(locales, func(l cms.Locale) bool { return l.Code == code })
	}, err
}

// applyAlts changes the alternative texts of the locales in alts, and removes all if it is null.
func (s *Media) applyAlts(ctx context.Context, alts *map[string]string, m *Asset, p cms.Problems) error {
	if alts == nil {
		return nil
	}
	was, now := m.Alts, maps.Clone(*alts)
	known, err := s.localesOfAlts(ctx, was)
	if err != nil {
		return err
	}
	for code, text := range *alts {
		if path := "alts." + code; !known(code) {
			p.Add(path, "is not a locale of this site")
		} else {
			checkMediaText(p, path, text)
		}
	}
	for code, text := range was {
		if _, named := now[code]; now != nil && !named {
			now[code] = text
		}
	}
	maps.DeleteFunc(now, func(_, text string) bool { return text == "" })
	if m.Alts = now; len(now) == 0 {
		m.Alts = nil // so that a file without texts equals one that never had any
	}
	return nil
}

// permitAlts checks that actions are permitted in the locales whose readers get another alternative text.
func permitAlts(ctx context.Context, s *Media, was, now cms.Media, actions ...cms.Action) error {
	if was.Alt == now.Alt && maps.Equal(was.Alts, now.Alts) {
		return nil
	}
	locales, err := s.Locales(ctx)
	if err != nil {
		return err
	}
	changed := input.ChangedLocales(locales, was.Alts, now.Alts, was.Alt, now.Alt)
	return input.PermitLocales(ctx, cms.AreaMedia, "file", changed, actions...)
}

// permitNewAlts checks the texts of a new file. Nobody reads the one for all other locales yet.
func permitNewAlts(ctx context.Context, s *Media, m Asset) error {
	return permitAlts(ctx, s, cms.Media{Alt: m.Alt}, cms.Media{Alt: m.Alt, Alts: m.Alts}, cms.ActionWrite)
}

// PermitAlt checks that the alternative text of a file may be changed in a locale; with "" that of all locales without
// one of their own. It is not a method, since the binaries of functions that only show files hold the names of methods.
func PermitAlt(ctx context.Context, s *Media, m cms.Media, locale string) error {
	changed := []string{locale}
	if locale == "" {
		locales, err := s.Locales(ctx)
		if err != nil {
			return err
		}
		changed = input.ChangedLocales(locales, m.Alts, m.Alts, "", "another")
	}
	return input.PermitLocales(ctx, cms.AreaMedia, "file", changed, cms.ActionWrite, cms.ActionPublish)
}

// sentAlts returns the alternative texts by locale in a part of a multipart body, nil without one.
func sentAlts(part string, p cms.Problems) *map[string]string {
	if part == "" {
		return nil
	}
	sent, err := cms.DecodeJSON([]byte(part))
	if err != nil {
		sent = part // Decode refuses it
	}
	in, problems := input.Decode[struct {
		Alts *map[string]string `json:"alts"`
	}](map[string]any{"alts": sent})
	p.Merge(problems)
	return in.Alts
}

// checkName checks that a name is a valid file name with an extension of the file's type.
func (s *Media) checkName(p cms.Problems, name *string, mime string) {
	switch {
	case name == nil || len(p["name"]) > 0:
	case *name == "":
		p.Add("name", "is required")
	case upload.CleanName(*name) != *name:
		p.Add("name",
			"must be a file name of at most %d characters, without path and control characters",
			upload.MaxNameChars)
	default:
		if settled, ok := s.Inspector.Agree(*name, mime); !ok || settled != mime {
			p.Add("name", "must have a file extension of the type %s", mime)
		}
	}
}

// maxMediaText is the longest alt text and caption in bytes.
const maxMediaText = 64 << 10

func checkMediaTexts(p cms.Problems, alt, caption string) {
	checkMediaText(p, "alt", alt)
	checkMediaText(p, "caption", caption)
}

func checkMediaText(p cms.Problems, path, text string) {
	if len(text) > maxMediaText || !utf8.ValidString(text) {
		p.Add(path, "must have at most %d bytes of UTF-8", maxMediaText)
	}
}

// findFolder reads the folder of a file. A missing folder is a problem only if put is set, which
// means that the file is to be put into it.
func (s *Media) findFolder(ctx context.Context, p cms.Problems, id string, put bool) ([]Folder, error) {
	if id == "" {
		return nil, nil
	}
	canonical, ok := input.CanonicalID(id)
	if !ok {
		p.Add("folder_id", "must be the id of a folder")
		return nil, nil
	}
	folder, err := s.folderOf(ctx, canonical)
	if put && err == nil && len(folder) == 0 {
		p.Add("folder_id", "there is no such folder")
	}
	return folder, err
}

// putInto puts a file into the folder, which cannot be deleted before the commit. While a deletion
// is counting the files, the use case must be retried.
func putInto(tx *db.Tx, m *Asset, folder []Folder) error {
	for _, f := range folder {
		if !f.Open(tx.At()) {
			return db.ErrOvertaken
		}
		m.FolderID = f.ID // in its canonical spelling
		requireFolder(tx, f)
	}
	return nil
}
