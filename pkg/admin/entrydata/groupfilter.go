package entrydata

import (
	"headless/pkg/cms"
	"headless/pkg/site"
	"headless/pkg/translations"
)

// groupFilter reads filter[missing] and filter[outdated] (extensions §3); known is false for other
// filters. "" is no choice.
func groupFilter(into *translations.Filter, f cms.Filter, site *site.Site) (known bool, err error) {
	if f.Path != "missing" && f.Path != "outdated" {
		return false, nil
	}
	if f.Op != cms.OpEq && (f.Path != "missing" || f.Op != cms.OpIn) {
		return true, cms.Errorf(cms.CodeBadRequest, "The filter %q does not take the operator %q.",
			f.Path, string(f.Op))
	}
	for _, value := range f.Values {
		switch {
		case value == "":
		case f.Path == "outdated":
			if value != "true" && value != "false" {
				return true,
					cms.Errorf(cms.CodeBadRequest, "The filter %q takes true or false, not %q.",
						f.Path, cms.Shorten(value))
			}
			outdated := value == "true"
			into.Outdated = &outdated
		case site.Locale(value) == nil:
			return true, cms.UnknownName("locale", value, site.Codes()...)
		default:
			into.Missing = append(into.Missing, value)
		}
	}
	return true, nil
}
