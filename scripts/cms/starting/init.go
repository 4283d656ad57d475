package starting

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"headless/pkg/api/typescript"
	"headless/pkg/starter"
	"headless/scripts/cms/command"
)

//go:embed all:site all:pages
var sites embed.FS

var frameworks = []string{"astro", "next"}

// dotfiles are the files whose names begin with a dot in a new site. Here they are named without
// it, so that they do not apply to this repository.
var dotfiles = []string{"env", "gitignore"}

// Command returns the command init.
func Command() *cobra.Command {
	var template, framework string
	cmd := &cobra.Command{
		Use: "init [DIR]", Short: "Write a new site: schema, first content, and pages", Args: cobra.MaximumNArgs(1),
		SuggestFor: []string{"new", "create", "start"},
		Long: "Write a schema, first content and a site that runs into an empty folder, by default this one. README.md " +
			"there\n" + "says which commands start it.",
		Example: "  cms init my-site --template marketing --framework next",
		PreRunE: func(*cobra.Command, []string) error {
			return errors.Join(oneOf("template", template, starter.Names), oneOf("framework", framework, frameworks))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			if err := write(dir, template, framework); err != nil {
				return command.Failed(err)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "A site is in %s; its README.md says more. Start it there:\n\n"+
				"  cms dev --content content      the service, in one terminal\n"+
				"  npm install && npm run dev     the site, in another\n", dir)
			return nil
		},
	}
	cmd.Flags().StringVar(&template, "template", "blog", "blog or marketing")
	cmd.Flags().StringVar(&framework, "framework", "astro", "astro or next")
	return cmd
}

// oneOf returns an error if a flag has none of its values.
func oneOf(flag, value string, known []string) error {
	if slices.Contains(known, value) {
		return nil
	}
	return fmt.Errorf("--%s is one of %s, not %q", flag, strings.Join(known, ", "), value)
}

// write writes a site into an empty folder, which it makes if there is none.
func write(dir, template, framework string) error {
	found, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(found) > 0 {
		return fmt.Errorf("%s is not empty", dir)
	}
	pages := "pages/" + template
	for _, folder := range []string{"site/shared", "site/" + framework, pages + "/shared", pages + "/" + framework} {
		if err := copyTo(dir, sites, folder); err != nil {
			return err
		}
	}
	if err := copyTo(filepath.Join(dir, "content"), starter.Files, template); err != nil {
		return err
	}
	return writeTypes(filepath.Join(dir, "lib", "cms.ts"), template)
}

// writeTypes writes what cms types would write for the models of a template, so that the pages compile at once.
func writeTypes(file, template string) error {
	schema, err := starter.Files.ReadFile(template + "/schema.json")
	if err != nil {
		return err
	}
	text, err := typescript.OfSchema(schema)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// copyTo writes a folder of files into dir.
func copyTo(dir string, files embed.FS, folder string) error {
	return fs.WalkDir(files, folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		to := strings.TrimPrefix(name, folder+"/")
		if slices.Contains(dotfiles, to) {
			to = "." + to
		}
		raw, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		file := filepath.Join(dir, filepath.FromSlash(to))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if to == ".env" {
			mode = 0o600
		}
		return os.WriteFile(file, raw, mode)
	})
}
