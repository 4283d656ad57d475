package frame

import (
	"net/url"

	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
)

// refill returns the page of a refused form, with the typed values and the error messages. It
// returns nil if the error is answered otherwise; keepTyped keeps the typed text then.
func (c *Call) refill(route Route, err error) *ui.Page {
	e := AsError(err)
	if e == nil || c.JSON || !c.IsForm {
		return nil
	}
	if c.expired { // the user has signed in again in another tab
		c.Step = &FormStep{Verb: StepResume}
		result, _ := c.answerStep(route)
		return result.Page
	}
	if route.Form == nil || !mendable(e) {
		return nil
	}
	if c.readSite() != nil { // a change of the site may be the reason
		return nil
	}
	page, formErr := route.Form(c)
	if formErr != nil || page.Form == nil {
		return nil
	}
	page.Form.Refill(c.Form, e)
	if page.Form.Overtaken {
		stored := *c
		stored.Form = url.Values{}
		if saved, err := route.Form(&stored); err == nil && saved.Form != nil {
			markSaved(page.Form, saved.Form)
		}
	}
	if model, id := c.R.PathValue("slug"), c.R.PathValue("id"); e.Code == cms.CodeApprovalRequired && id != "" {
		page.Form.Remedy = &ui.Link{Text: "Ask for review", Href: ui.Base + ui.EntryPath(model, id) + "/review"}
	}
	return page
}

// mendable reports whether the sender of a form can mend the cause of a refusal, or send the form again later.
func mendable(e *cms.Error) bool {
	switch e.Code {
	case cms.CodeValidationFailed, cms.CodeConflict, cms.CodeSlugConflict, cms.CodeApprovalRequired,
		cms.CodePreconditionFailed, cms.CodeRateLimited, cms.CodePayloadTooLarge, cms.CodeUnsupportedMedia,
		cms.CodeFileTooLarge:
		return true
	}
	return false
}

// ShowAgain answers a refused button with the page that has it and the reason.
func (c *Call) ShowAgain(err error, show Handler) (Result, error) {
	e := AsError(err)
	if e == nil || !c.IsForm || !mendable(e) {
		return Result{}, err
	}
	result, failed := show(c)
	if failed != nil {
		return Result{}, err
	}
	result.Page.Notice = say.Known(e.Message)
	return c.Refused(e, result.Page), nil
}
