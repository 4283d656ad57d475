package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
)

// TestFirefox looks at the main pages and edits an entry in Firefox. firefox.mjs is what it does there.
func TestFirefox(t *testing.T) {
	firefox, err := exec.Command("../tools/firefox.sh", "path").Output()
	if err != nil {
		t.Skip("Firefox is not installed: run scripts/tools/firefox.sh install")
	}
	tools, err := filepath.Abs("../../.tools")
	must.Do(t, err)
	s, at := desk(t)
	setup, err := json.Marshal(obj{"tools": tools, "firefox": strings.TrimSpace(string(firefox)),
		"url": s.url, "email": email, "password": password, "at": at,
		"pages": []string{"/", "/models/posts/entries", at, "/media", "/planned", "/settings", "/styleguide"}})
	must.Do(t, err)
	command := exec.CommandContext(t.Context(), "node", "firefox.mjs")
	command.Env = append(os.Environ(), "FIREFOX_TEST="+string(setup))
	var flaws, failure bytes.Buffer
	command.Stdout, command.Stderr = &flaws, &failure
	if err := command.Run(); err != nil {
		t.Errorf("%v: %s", err, failure.String())
	}
	for flaw := range strings.Lines(flaws.String()) {
		t.Error(strings.TrimSpace(flaw))
	}
	const want = "map[at:2026-11-22T09:38:00Z body:Oil **dries** " +
		"parts:[map[text:second type:quote] map[text:first type:quote]] teaser:Written in Firefox]"
	if got := fmt.Sprint(s.draftOf(at)); !t.Failed() && got != want {
		t.Errorf("the draft is %s, want %s", got, want)
	}
}
