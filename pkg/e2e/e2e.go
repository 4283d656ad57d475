// Package e2e is the black-box suite of the service: it knows only the specification and a root
// URL. It runs on the embedded server, on the built functions and on a deployed stack. It may run
// again on the same store, since everything that it makes has a random name. Every request and
// every answer is checked against the OpenAPI documents.
//
// Each package below it has the scenarios of one subject; package kit is what they are made of.
package e2e

import (
	"testing"

	"headless/pkg/e2e/admin"
	"headless/pkg/e2e/api"
	"headless/pkg/e2e/content"
	"headless/pkg/e2e/delivery"
	"headless/pkg/e2e/forms"
	"headless/pkg/e2e/health"
	"headless/pkg/e2e/hooks"
	"headless/pkg/e2e/kit"
	"headless/pkg/e2e/lists"
	"headless/pkg/e2e/locales"
	"headless/pkg/e2e/mcp"
	"headless/pkg/e2e/media"
	"headless/pkg/e2e/people"
	"headless/pkg/e2e/planning"
	"headless/pkg/e2e/previews"
	"headless/pkg/e2e/review"
	"headless/pkg/e2e/rights"
	"headless/pkg/e2e/schema"
	"headless/pkg/e2e/site"
	"headless/pkg/e2e/texts"
	"headless/pkg/e2e/transfer"
)

// beside are the scenarios that run in parallel.
var beside = [][]kit.Scenario{
	api.Envelope, rights.Auth,
	rights.Reach, rights.Roles, rights.Changes, rights.Reads, people.Accounts, admin.Audit,
	api.Limits, content.Entries, content.Singles, content.Fields, lists.Lists, lists.Includes, lists.Search,
	media.Files, media.Alts, media.Images, media.Usage,
	transfer.CSV, locales.XLIFF, texts.Scenarios, previews.Entries, previews.Sites,
	forms.Forms, forms.Files, rights.Keys, hooks.Webhooks, hooks.Events, admin.Scenarios,
	content.Trash, content.Drafts, locales.Editors, content.Duplicates, api.Repairs, locales.Translations,
	delivery.Reads, delivery.Sync, site.Redirects, site.URLs, health.Scenarios, hooks.Targets,
	site.Tree, site.Menus, site.Resolve, api.Documents, api.Guides,
	schema.Document, transfer.Imports, mcp.Scenarios,
	planning.Schedules, planning.Jobs, planning.Releases, hooks.Bundles, review.Scenarios,
}

// inTurn are the scenarios that change what all share: settings, the default locale.
var inTurn = [][]kit.Scenario{site.Settings, schema.Changes}

// Run runs the suite on a target.
func Run(t *testing.T, target kit.Target) {
	s := kit.NewSuite(t, target)
	t.Run("parallel", func(t *testing.T) { s.RunBeside(t, beside...) })
	s.RunInTurn(t, inTurn...)
}
