// Package frame is what all pages of the admin area share: the route table, one request and its
// answer as JSON or HTML, who is signed in and what they may do, the menu, and forms that are shown
// again with their errors.
//
// Words:
//   - Route: a line of the route table, with the lowest role that may use it.
//   - Visitor: who sends a request, and by which session or access token.
//   - Call: one request, with its Visitor.
//   - Result: the answer to a call, with Data for JSON and a Page or a Redirect for browsers.
//   - step: a button that changes the form, such as adding a row, and saves nothing.
//
// What always holds: before the handler of a change runs, the request is checked for forgery, and
// the user for the role of the route.
package frame
