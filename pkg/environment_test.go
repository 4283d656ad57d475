package pkg_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"headless/pkg/must"
)

// setElsewhere are variables that the template does not set: those of the embedded server, of Lambda and
// of emulators.
var setElsewhere = []string{"ADMIN_EMAIL", "ADMIN_PASSWORD", "AWS_ACCESS_KEY_ID", "AWS_DEFAULT_REGION",
	"AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "AWS_REGION", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "DATA_DIR",
	"MAX_CONNECTIONS", "MAX_CONNECTIONS_PER_ADDRESS", "OIDC_CLIENT_SECRET", "PORT", "SEED",
	"UPLOAD_FROM_URL_ALLOW"}

var readsVariable = regexp.MustCompile(`(?:[gG]etenv|Need|text|number|list|networks)\("([A-Z_]+)"`)

// TestTemplateSetsVariables finds variables that the functions read and no stack can set.
func TestTemplateSetsVariables(t *testing.T) {
	template, err := os.ReadFile("../template.yaml")
	must.Do(t, err)
	set := func(text, name string) bool {
		return regexp.MustCompile(`(?m)^ +` + name + `:`).MatchString(text)
	}
	read := map[string]bool{}
	for _, file := range sourcesOf(t, "app/config.go", "oidc", "app/function", "app/awsconf") {
		for _, name := range variablesIn(t, file) {
			read[name] = true
			if !set(string(template), name) && !slices.Contains(setElsewhere, name) &&
				!strings.HasSuffix(name, "_ENDPOINT") {
				t.Errorf("%s reads %s, which the template does not set", file, name)
			}
		}
		// The room of a function has its name.
		room := filepath.Base(filepath.Dir(file))
		name := map[string]string{"purge": "Purge", "sweeper": "Sweeper", "dispatch": "EventDispatch",
			"admin": "Admin"}[room]
		if name == "" {
			continue
		}
		_, own, _ := strings.Cut(string(template), "\n  "+name+"Function:\n")
		own, _, _ = strings.Cut(own, "\n      Policies:")
		globals, _, _ := strings.Cut(string(template), "\nResources:")
		for _, variable := range variablesIn(t, file) {
			if !set(own+globals, variable) && !slices.Contains(setElsewhere, variable) {
				t.Errorf("%s reads %s, which %sFunction does not have", file, variable, name)
			}
		}
	}
	for _, name := range setElsewhere {
		if !read[name] {
			t.Errorf("no function reads %s any more", name)
		}
	}
}

// TestConfigurationHasVariables finds variables of the local server that its page does not name.
func TestConfigurationHasVariables(t *testing.T) {
	page, err := os.ReadFile("docs/configuration.md")
	must.Do(t, err)
	for _, name := range variablesIn(t, "app/config.go") {
		if !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/configuration.md lacks %s", name)
		}
	}
}

// variablesIn lists the environment variables that a file reads.
func variablesIn(t *testing.T, file string) (names []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	must.Do(t, err)
	for _, match := range readsVariable.FindAllStringSubmatch(string(text), -1) {
		names = append(names, match[1])
	}
	return names
}

// sourcesOf lists the Go files below folders, without tests.
func sourcesOf(t *testing.T, roots ...string) (files []string) {
	t.Helper()
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") {
				files = append(files, path)
			}
			return err
		})
		must.Do(t, err)
	}
	return files
}
