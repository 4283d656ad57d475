// Package admin puts the admin area under /admin together: every address answers a browser with a
// page and a client that asks for JSON with the envelope of the API.
//
// The rooms below it, each with a doc.go: ui (pages and templates), frame (routes, requests,
// forms), small helpers of forms (pickers, entryforms, rowforms, usages, writing), and the pages by
// subject. Imports run one way: admin, then the pages, then the helpers, then frame, then ui.
//
// To add a page, write a file with its table of routes in the room of its subject. A resource is a
// table that frame.Resource makes from the service's methods and how a value is shown; see
// accounts/users.go. A route of its own is a frame.Route whose handler returns a frame.Result: Data
// for JSON, and for browsers a ui.Page (List, Detail or Form) or a Redirect. Then add the table to
// Services.routes and, for the menu, a line to menu in frame/menu.go.
package admin
