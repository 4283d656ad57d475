// Package admin assembles the admin area under /admin. Every URL answers browsers with a page, and
// clients that ask for JSON with the envelope of the API.
//
// The packages below it, each with a doc.go: say (texts in all languages), ui (pages and templates), frame (routes,
// requests, forms), resource (the usual routes of one kind of item), helpers of pages (pickers, entrydata, entryforms,
// rowforms, usages, writing), and the pages by subject. Imports go one way: admin imports the pages, pages import
// helpers and resource, these import frame, and frame imports ui; never the other way round.
//
// To add a page, write a file with its route table in the package of its subject. For one kind of item, resource.Kind
// makes the table from the methods of the service and from functions that show a value; see accounts/roles.go. Any
// other route is a frame.Route with a handler that returns a frame.Result: Data for JSON, and a ui.Page (List, Detail
// or Form) or a Redirect for browsers. frame.OfModel gives it the model in its path, frame.WithBody the body.
// A page shows a button or a link only if c.MayUse, c.MayDo or the service says that it may be used.
// Then add the table to Services.routes, the first part of the address to frame/areas.go and, for the menu, a line to
// menu in frame/menu.go.
package admin
