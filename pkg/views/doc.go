// Package views keeps the views of lists that users of the admin area have saved.
//
// Words:
//   - view: a name for the parameters of a list of entries: its filters, search, order and columns.
//   - own, shared: a user sees own views and the views that others share.
//
// What always holds:
//   - A view belongs to a model by the model's id: a new model of the same slug starts without any.
//   - The names of a user's views of one model are unique.
//   - A view may be changed by the user who made it. Admins may also change shared views.
package views
