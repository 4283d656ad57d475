// Package views keeps the views of lists that users of the admin area have saved.
//
// Words:
//   - view: a name for the parameters of a list of entries: its filters, search, order and columns.
//   - own, shared: a view is seen by who made it and, where it is shared, by everybody.
//
// What always holds:
//   - A view belongs to a model by the model's id: a new model of the same slug starts without any.
//   - A user has a name for one view of a model at most.
//   - Who made a view changes it; admins also change shared ones.
//
// It may import input, db and cms.
package views
