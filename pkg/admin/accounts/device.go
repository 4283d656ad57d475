package accounts

import (
	"net/http"

	"headless/pkg/access/device"
	"headless/pkg/admin/frame"
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
	"headless/pkg/input"
	"headless/pkg/web"
)

// DeviceRoutes returns the routes by which programs without a browser sign in (RFC 8628), and the page
// on which users approve them.
func DeviceRoutes(logins device.Logins) []frame.Route {
	h := deviceHandlers{logins}
	return []frame.Route{
		{Method: "POST", Pattern: "/device", Handle: asProgram(h.begin)},
		{Method: "POST", Pattern: "/device/token", Handle: asProgram(h.redeem)},
		{Method: "GET", Pattern: "/device", Role: cms.RoleViewer, Handle: h.show},
		{Method: "POST", Pattern: "/device/approve", Role: cms.RoleViewer, Handle: h.decide(true, "approved"), Confirm: true},
		{Method: "POST", Pattern: "/device/deny", Role: cms.RoleViewer, Handle: h.decide(false, "denied")},
	}
}

type deviceHandlers struct{ logins device.Logins }

// devicePage is the page that asks for a user code or, with a Program, whether to approve it.
type devicePage struct {
	Problem string
	Code    string // as typed
	Program *device.Program
}

func (h deviceHandlers) begin(c *frame.Call, body map[string]any) (frame.Result, error) {
	started, err := h.logins.Begin(c.R.Context(), c.Client(), c.A.Cfg.SiteURL+ui.Base+"/device", body)
	return frame.Result{Data: started}, err
}

func (h deviceHandlers) redeem(c *frame.Call, body map[string]any) (frame.Result, error) {
	session, err := h.logins.Redeem(c.R.Context(), c.Client(), body)
	return frame.Result{Data: session}, err
}

// asProgram returns the handler for programs, which get JSON even if they send a form and name no type.
func asProgram(handle func(c *frame.Call, body map[string]any) (frame.Result, error)) frame.Handler {
	return func(c *frame.Call) (frame.Result, error) {
		c.JSON = true
		return frame.WithBody(handle)(c)
	}
}

// show asks for a code, or names the program of the code in the query.
func (h deviceHandlers) show(c *frame.Call) (frame.Result, error) {
	code := c.R.URL.Query().Get("user_code")
	if code == "" && !c.JSON {
		return frame.Result{Page: deviceView(devicePage{})}, nil
	}
	program, err := h.logins.Find(c.R.Context(), c.Token, code)
	if e := frame.AsError(err); e != nil && !c.JSON {
		return h.askAgain(c, e, code), nil
	}
	return frame.Result{Data: program, Page: deviceView(devicePage{Program: &program})}, err
}

// decide returns the handler that approves or denies the program of a code. done is the message that the page shows.
func (h deviceHandlers) decide(approve bool, done string) frame.Handler {
	return frame.WithBody(func(c *frame.Call, body map[string]any) (frame.Result, error) {
		in, p := input.Decode[struct {
			UserCode *string `json:"user_code"`
		}](body)
		if err := p.Err(); err != nil {
			return frame.Result{}, err
		}
		code := input.Given(in.UserCode, "")
		err := h.logins.Decide(c.R.Context(), c.Actor(), c.Token, code, approve)
		if e := frame.AsError(err); e != nil && !c.JSON {
			return h.askAgain(c, e, code), nil
		}
		return frame.Result{Status: http.StatusNoContent, Redirect: "/device?ok=" + done}, err
	})
}

// askAgain asks for another code and says why.
func (h deviceHandlers) askAgain(c *frame.Call, e *cms.Error, code string) frame.Result {
	problem := e.Message
	if web.StatusOf(e.Code) == http.StatusUnprocessableEntity {
		problem = e.Describe()
	}
	return c.Refused(e, deviceView(devicePage{Problem: problem, Code: code}))
}

func deviceView(v devicePage) *ui.Page {
	return &ui.Page{Title: "Sign in a program", Template: "device", Custom: v}
}
