package promoting

import (
	"fmt"
	"net/http"
	"os"

	"github.com/spf13/cobra"

	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
	"headless/scripts/cms/exporting"
	"headless/scripts/cms/folder"
	"headless/scripts/cms/importing"
)

// options say what is copied to another service.
type options struct {
	to      string
	release string // id or name; "": everything
	publish bool
	asJSON  bool
}

// Command returns the command promote.
func Command() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use: "promote --to URL", Short: "Copy this service, or one release of it, to another one",
		Args: cobra.NoArgs,
		Long: "Copy this service to another one: an export and an import. Sign in to the other service with\n" +
			"CMS_TO_TOKEN, or with CMS_EMAIL and CMS_PASSWORD.\n\n" +
			"With --release, copy what a release holds. Entries that the other service has get a draft, " +
			"which replaces theirs;\n" +
			"others are made as drafts. What they refer to is copied where it is missing. Then the other service gets a\n" +
			"release of the same name, to be checked and published there, or at once with --publish. Run it again after an\n" +
			"interruption: it goes on where it was.",
		Example: "  cms promote --to https://cms.example.com --release 'Spring sale' --publish",
		RunE: command.Work(func(c *client.Client, _ []string) error {
			target := &client.Client{Root: o.to, Token: os.Getenv("CMS_TO_TOKEN"), Advice: "Set CMS_TO_TOKEN"}
			if err := enter(target); err != nil {
				return fmt.Errorf("sign in to the other service with CMS_TO_TOKEN, or with CMS_EMAIL and CMS_PASSWORD: %w", err)
			}
			return folder.Temporary(func(dir string) error {
				if o.release != "" {
					return promoteRelease(c, target, dir, o)
				}
				if _, err := exporting.Export(c, dir, exporting.Options{}); err != nil {
					return err
				}
				return importing.Folder(target, dir, importing.Options{OnConflict: importing.ConflictNewer, AsJSON: o.asJSON})
			})
		}),
	}
	cmd.Flags().StringVar(&o.to, "to", "", "root address of the other service")
	cmd.Flags().StringVar(&o.release, "release", "", "id or name of a release; else everything is copied")
	cmd.Flags().BoolVar(&o.publish, "publish", false, "publish the release on the other service")
	command.JSONFlag(cmd, &o.asJSON)
	if err := cmd.MarkFlagRequired("to"); err != nil {
		panic(err) // the flag is defined above
	}
	return cmd
}

// enter signs in to the other service if there is no token for it. An error of either comes before the export.
func enter(target *client.Client) error {
	if target.Token == "" {
		return target.Login(os.Getenv("CMS_EMAIL"), os.Getenv("CMS_PASSWORD"))
	}
	return target.JSON(http.MethodGet, "/admin/me", nil, nil)
}
