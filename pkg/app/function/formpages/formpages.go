// Package formpages gives the function of forms the languages of its pages, which other functions need not link.
package formpages

import (
	"headless/pkg/admin/say"
	"headless/pkg/api/formroutes"
)

// Languages are the languages of the admin area.
var Languages formroutes.Languages = say.ForVisitor
