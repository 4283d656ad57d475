package input

import "headless/pkg/cms"

// FutureTime returns the time of a planned change; null and "" give the zero time. It adds a
// problem if the time is not in the future, or more than that many years ahead.
func FutureTime(problems cms.Problems, path string, v any, now cms.Time, years int) cms.Time {
	text, isText := v.(string)
	if form, ok := v.(FormValue); ok && len(form) > 0 {
		text, isText = form[len(form)-1], true
	}
	if v == nil || isText && text == "" {
		return cms.Time{}
	}
	t, valid := cms.ParseDateTime(text)
	at := cms.At(t)
	switch {
	case !isText || !valid:
		problems.Add(path, "must be a timestamp of the form 2026-01-31T12:00:00Z")
	case !at.After(now.Time):
		problems.Add(path, "must be in the future")
	case at.After(now.AddDate(years, 0, 0)):
		problems.Add(path, "must be at most %d years ahead", years)
	default:
		return at
	}
	return cms.Time{}
}
