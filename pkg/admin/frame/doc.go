// Package frame is what all pages of the admin area share: the table of routes, one request and its
// answer as JSON or HTML, who is signed in and what they may do, the menu, and forms that come back
// with their mistakes.
//
// Words:
//   - Route: a line of the route table, with the least role that may use it.
//   - Call: one request. Result: its answer, with Data for JSON and a Page or a Redirect for
//     browsers.
//   - Resource: the usual routes of one kind of thing, from functions that list, read and change
//     it.
//   - step: a button of a form that changes the form, such as adding a row, and saves nothing.
//
// What always holds: every change is checked for forgery and for the role of its route before its
// handler runs.
package frame
