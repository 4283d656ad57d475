package clients_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"headless/pkg/must"
	"headless/scripts/internal/service"
)

// typedPage is a page with commands that developers type, and the preparations of its shell.
type typedPage struct {
	page         string
	empty        bool       // the service has no content
	before       string     // commands that prepare the shell
	placeholders [][]string // a placeholder, and its values in the order of its uses; the last one serves all further uses
	after        string     // fails if the output of the commands, in the file said, is not right
}

// typedPages are all pages with commands but builtPages. A value that ends in an entry, such as pages/about, ends in
// the id of that entry.
var typedPages = []typedPage{
	{page: "README.md"},
	{page: "pkg/docs/access.md"},
	{page: "pkg/docs/api.md", before: `cp $PHOTO photo.jpg && printf '%%PDF-1.4\n%%%%EOF\n' >cv.pdf`},
	{page: "pkg/docs/cms.md", before: `git init -q && mkdir src && cms schema pull -o schema.json &&
		cms types -o src/cms.ts && git add . && git -c user.name=a -c user.email=b commit -qm c`},
	{page: "pkg/docs/delivery.md"},
	{page: "pkg/docs/drafts.md", before: `ID=$(id posts/why-we-oil)`},
	{page: "pkg/docs/images.md", before: `cp $PHOTO new.png; ID=$(upload)`,
		placeholders: [][]string{{"<id>", "$ID"}}},
	{page: "pkg/docs/importers.md", before: `mkdir -p content/blog
		printf -- '---\ntitle: First\n---\nText.\n' >content/blog/first.md`},
	{page: "pkg/docs/jobs.md", before: `ID=$(id posts/why-we-oil)`},
	{page: "pkg/docs/map.md", before: `admin $CMS/admin/models/pages | node -pe '
		const { fields } = JSON.parse(fs.readFileSync(0)).data;
		const block = { name: "block", type: "relation", model: "authors" };
		fields.push({ name: "sections", type: "blocks", fields: [{ name: "saved", type: "group", fields: [block] }] });
		JSON.stringify({ fields })' >pages.json && admin $CMS/admin/models/pages -X PUT -d @pages.json`,
		placeholders: [][]string{{"018f…",
			"pages/repairs", "pages/about", "pages/workshop", // a move
			"pages/about",                                     // deleted
			"pages/contact",                                   // a job
			"pages/repairs", "pages/imprint", "pages/contact", // a move of several
			"pages/repairs", "pages/imprint", // into a menu
			"pages/repairs",
		}}},
	{page: "pkg/docs/mcp.md"},
	{page: "pkg/docs/planning.md", before: `ID=$(id posts/why-we-oil)`},
	{page: "pkg/docs/preview.md", before: `ID=$(id posts/why-we-oil)
		RELEASE=$(admin $CMS/admin/releases -d '{"name": "Spring"}' | of .data.id)
		preview=$(api -X POST $CMS/api/v1/posts/$ID/preview | of .data.token)`,
		placeholders: [][]string{{"releases/<id>", "releases/$RELEASE"}, {"<id>", "$ID"}, {"<token>", "$preview"},
			{"<key>", "pub_…"}}},
	{page: "pkg/docs/redirects.md"},
	{page: "pkg/docs/schema.md", before: `echo '{"model": "pages", "title": "First", "locale": "en"}' >posts.jsonl`},
	{page: "pkg/docs/sites.md", empty: true},
	{page: "pkg/docs/translations.md", before: `ID=$(id pages/repairs)
		admin $CMS/admin/locales -d '{"code": "fr", "name": "French", "native_name": "Français", "fallback": "de"}'`},
	{page: "pkg/docs/types.md", before: "mkdir src"},
	{page: "pkg/docs/usage.md", before: `ID=$(upload); FREE=$(upload); OTHER=$(upload)`, placeholders: [][]string{
		{"entries/<id>", "entries/posts/why-we-oil"}, {"files/<id>", "files/$FREE"}, {"<id>", "$ID"},
		{"'{\"with\": \"<id of the other file>\"}'", "{\\\"with\\\":\\\"$OTHER\\\"}"}}},
	{page: "pkg/docs/webhooks.md", before: `
		listen=$(admin $CMS/admin/webhooks -d '{"name": "a", "listen": true, "events": ["*"], "ed25519": true}')
		secret=$(of .data.secret <<<$listen) public_key=$(of .data.public_key <<<$listen)
		api -d '{"title": "First"}' $CMS/api/v1/pages
		sent=$(admin $CMS/admin/webhooks/$(of .data.id <<<$listen)/poll)
		header() { of ".data[0].headers['$1']" <<<$sent; }
		of '.data[0].body' <<<$sent | tr -d '\n' >body.json
		webhook_id=$(header Webhook-Id) webhook_timestamp=$(header Webhook-Timestamp)
		signatures=$(header Webhook-Signature) signature=${signatures#* }`,
		placeholders: [][]string{{"'whsec_…'", "$secret"}},
		after: `grep -qF "$(header X-Service-Signature)" said
		first=${signatures% *} && grep -qF "${first#v1,}" said
		grep -q 'Signature Verified Successfully' said
		WEBHOOK_SECRET=$secret node receiver.mjs >received & receiver=$!
		headers=(-H "webhook-id: $webhook_id" -H "webhook-timestamp: $webhook_timestamp" -H "webhook-signature: $signatures")
		post() { curl -s --retry-connrefused --retry 20 --retry-delay 1 "${headers[@]}" -o answer -w '%{http_code}' \
			localhost:$PORT "$@"; }
		[ $(post --data-binary @body.json)$(post -d '{}') = 204401 ]
		kill $receiver; grep -q '^entry.created ' received`},
	{page: "scripts/clients/README.md"},
}

// shellBefore defines the functions of the shell of each page.
const shellBefore = `
trap 'echo STATUS 0: $BASH_COMMAND >&2' ERR
of() { node -pe "JSON.parse(fs.readFileSync(0))$1"; }
api() { curl -sS -H "X-API-Key: $KEY" -H "X-API-Secret: $SECRET" -H 'Content-Type: application/json' "$@"; }
admin() { curl -sS -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; }
id() { api "$CMS/api/v1/$1" | of .data.id; }
upload() {
	curl -sS -H "X-API-Key: $KEY" -H "X-API-Secret: $SECRET" -F "file=@$PHOTO" $CMS/api/v1/upload | of .data.id
}
`

// anEntry matches a value that ends in an entry, such as pages/about.
var anEntry = regexp.MustCompile(`^(.*?)(posts|pages)/([a-z-]+)$`)

// typed matches the commands of a page: a block of them, or indented lines that begin with curl.
var typed = regexp.MustCompile("(?ms)^```sh\n(.+?)^```$|^    curl [^\n]*(?:\n      [^\n]*)*")

// failed matches the line that a failed command leaves, and an answer that is an error.
var failed = regexp.MustCompile(`(?m)^STATUS [045]`)

// notTyped matches commands that other tests run, that reach beyond this machine, or that say what to type instead of
// the line before.
var notTyped = regexp.MustCompile(
	`(?m)^(.*# or |make |sam |scripts/|npm |npx |claude |go run |export PATH|openapi-|oapi-).*\n`)

// builtPages matches the pages whose commands build a site, which TestGuides and its like run.
var builtPages = regexp.MustCompile(`/(astro|eleventy|hugo|next|nuxt|sveltekit)\.md$`)

// TestGuideCommands types the commands of the pages, one after the other, at a service, which has the demo content
// unless the page wants an empty one. Each must end well, and no answer may be an error.
func TestGuideCommands(t *testing.T) {
	if os.Getenv("GUIDES") == "" {
		return // the pages have commands of Node.js
	}
	bin := t.TempDir()
	curl, err := exec.LookPath("curl")
	must.Do(t, err)
	for name, program := range map[string]string{
		"curl": curl + ` -w '%{stderr}\nSTATUS %{http_code} %{method} %{url}\n' "$@" || echo "STATUS 0: $? $*" >&2`,
		"jq":   `node -pe "JSON.parse(fs.readFileSync(0))$2"`, // enough of it for the pages
	} {
		must.Do(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+program), 0o700))
	}
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "cms"), "../cms").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	pages, err := filepath.Glob("../../pkg/docs/*.md")
	must.Do(t, err)
	for _, page := range pages {
		page = strings.TrimPrefix(page, "../../")
		listed := slices.ContainsFunc(typedPages, func(p typedPage) bool { return p.page == page })
		if !listed && typed.MatchString(textOf(t, page)) && !builtPages.MatchString(page) {
			t.Errorf("nobody types the commands of %s", page)
		}
	}
	for _, page := range typedPages {
		t.Run(strings.ReplaceAll(page.page, "/", "-"), func(t *testing.T) { page.typeIn(t, bin) })
	}
}

func textOf(t *testing.T, page string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", page))
	must.Do(t, err)
	return string(text)
}

// typeIn types the commands of a page, with the programs in bin.
func (p typedPage) typeIn(t *testing.T, bin string) {
	start := service.StartDemo
	if p.empty {
		start = service.Start
	}
	root := start(t)
	admin := service.SignIn(t, root)
	key := admin.MakeKey(map[string]any{"name": "developer", "role": "admin",
		"scopes": []string{"read", "write", "delete", "publish"}})
	public := admin.MakeKey(map[string]any{"name": "site", "kind": "publishable"})
	photo, err := filepath.Abs("../../pkg/assets/images/testdata/photographs/camera.jpg")
	must.Do(t, err)
	fill := strings.NewReplacer("http://localhost:3000", root, "localhost:3000", strings.TrimPrefix(root, "http://"),
		"https://cms.example.com", root, "pub_…", public.PublicKey, "pk_…", key.PublicKey, "sk_…", key.Secret,
		"admin@example.com", service.Email, `"password": "…"`, `"password": "`+service.Password+`"`)
	_, port, _ := strings.Cut(freeAddress(t), ":")
	commands := fill.Replace(p.commands(t, admin))
	shell := exec.Command("bash", "-c", shellBefore+p.before+"\n{\n"+commands+"} >said\n"+p.after)
	shell.Dir = t.TempDir()
	shell.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "CMS="+root, "PHOTO="+photo, "PORT="+port,
		"TOKEN="+admin.Token, "KEY="+key.PublicKey, "SECRET="+key.Secret, "CMS_URL="+root, "CMS_TOKEN="+admin.Token)
	for _, file := range guideFile.FindAllStringSubmatch(textOf(t, p.page), -1) {
		must.Do(t, os.WriteFile(filepath.Join(shell.Dir, file[1]), []byte(file[2]), 0o600))
	}
	if out, err := shell.CombinedOutput(); err != nil || failed.Match(out) {
		said, _ := os.ReadFile(filepath.Join(shell.Dir, "said"))
		t.Errorf("%v\n%s\n%s", err, out, said)
	}
}

// commands returns the commands of the page, with values for its placeholders.
func (p typedPage) commands(t *testing.T, admin *service.Admin) (commands string) {
	for _, block := range typed.FindAllString(textOf(t, p.page), -1) {
		block = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(block), "```sh\n"), "```")
		commands += notTyped.ReplaceAllString(block, "") + "\n"
	}
	for _, values := range p.placeholders {
		for i := 1; strings.Contains(commands, values[0]); i++ {
			value := values[min(i, len(values)-1)]
			if at := anEntry.FindStringSubmatch(value); at != nil {
				var found []struct{ ID string }
				admin.Do("GET", "/admin/models/"+at[2]+"/entries?filter[slug]="+at[3], nil, &found)
				value = at[1] + found[0].ID
			}
			commands = strings.Replace(commands, values[0], value, 1)
		}
	}
	return commands
}
