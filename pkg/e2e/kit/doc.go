// Package kit is what scenarios of the black-box suite are made of.
//
// A [Suite] is one run on a [Target]. It makes what a scenario needs: models, entries, keys, users. All
// of it has random names, so scenarios run beside one another and again on the same store. A [Client]
// calls the API or the admin area, and checks each request and answer against the OpenAPI documents. A
// [Browser] opens pages and posts forms. A [Receiver] takes deliveries of webhooks.
//
// A scenario is a function in the package of its subject, and a row of a group there:
//
//	{Name: "entries/titles", Run: titles},
//
//	func titles(t *testing.T, s *kit.Suite) {
//		model, key := s.Model(t, nil), s.Key(t, nil)
//		id := key.Publish(t, model, "First", nil)
//		key.Run(t,
//			kit.Step{Name: "read", Call: "GET /" + model + "/" + id,
//				Want: kit.Obj{"data.title": "First", "data.published_at": kit.Timestamp}},
//			kit.Step{Name: "no title", Call: "POST /" + model, Body: kit.Obj{"title": ""},
//				Invalid: "title"},
//		)
//	}
//
// What happens after an answer, such as a delivery, a mail or a planned change, is waited for with
// [Suite.Eventually]. A scenario that waits gives its place to another.
//
// Package e2e lists the groups. Subjects import the kit and not one another: what two of them need is
// here. A scenario that changes what all share, such as the default locale, is in a group of those that
// run one by one.
package kit
