package frame

import (
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
)

// refill returns the page of a refused form, with the typed values and the error messages. It
// returns nil if the error is answered otherwise; keepTyped keeps what was typed then.
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
	if route.Form == nil {
		return nil
	}
	switch e.Code {
	case cms.CodeValidationFailed, cms.CodeConflict, cms.CodeSlugConflict, cms.CodeApprovalRequired,
		cms.CodePreconditionFailed, cms.CodeRateLimited, cms.CodePayloadTooLarge, cms.CodeUnsupportedMedia,
		cms.CodeFileTooLarge:
	default:
		return nil
	}
	page, formErr := route.Form(c)
	if formErr != nil || page.Form == nil {
		return nil
	}
	page.Form.Refill(c.Form, e)
	return page
}
