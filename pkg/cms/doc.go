// Package cms is the domain: its types, field types, events, errors and permissions. It uses the
// standard library only and knows nothing of storage or HTTP. So do the packages below it, which
// import it: validation checks models and entries, and query has filters and sort orders.
//
// Each word below has one meaning everywhere: in code, comments, API, pages and documents.
//
// Content:
//   - model: the definition of a kind of entry: its fields, whether it has translations, its
//     default order.
//   - field: a named, typed value of a model.
//   - entry: one piece of content of a model, with a title, slug, locale, status and data.
//   - slug: the readable name of an entry in URLs, unique within model and locale.
//   - locale: a language or region, such as de or pt-BR. One is the default.
//   - translation group: the entries of several locales that are translations of each other.
//   - status: draft, published or archived. The public reads published entries only.
//   - draft: changes beside a published entry that the public does not see until they are
//     published.
//   - revision: an entry in its state after one change.
//   - trash: where deleted entries stay until they are restored or removed for good.
//   - reference: a value that names another entry or a file. An include returns both together.
//   - release: entries that are published together at one time.
//   - schedule: the times at which an entry is published or unpublished.
//
// Around content:
//   - asset: a stored file and its record; a variant is an image made from it.
//   - form, submission: what visitors fill in, and what one of them sent.
//   - subscription: who receives which events, as a webhook.
//   - event: a change and its data, recorded in the transaction of the change.
//   - delivery: one event for one subscription; an attempt is one HTTP request for it.
//   - user, session, role: who signs in to the admin area, and what they may do.
//   - API key: who calls the API; a scope is what the key may do.
//
// Storage, where these words are used in other packages too:
//   - change row: how much one save adds to the counters of a model. It is kept until a merge adds
//     it to the totals, and readers of a total count the change rows that are not merged yet. A
//     model with 1,000 published entries and two saves since the last merge has one total row
//     (1,000) and two change rows (+1 and -1).
//   - generation: a version of a model's index. The former one serves queries until the next one is
//     complete.
//   - claim: a row that reserves a slug or a unique value for an entry.
//   - manifest: the list of index rows and words that an entry has now, so that the next save can
//     remove those that no longer apply.
//   - fence: a row that a transaction checks and another one moves, so that both cannot commit. A
//     change of a model moves the fence that saves of its entries check.
//   - row, space, counter: see package index.
//   - posting, pending change, merge: see package fulltext.
//   - lease: the right to do a task until a time, after which another worker takes over.
//   - slot: one of a limited number of rights to work at the same time.
//   - timer: a time at which a task is checked again.
//   - cursor: where the next page of a list starts.
//   - version: the number of changes of a thing, for optimistic locking (If-Match).
package cms
