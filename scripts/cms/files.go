package main

import (
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
)

func filesCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "files", SuggestFor: []string{"upload", "media"}, Short: "Upload files to the library"}
	cmd.AddCommand(putFilesCommand())
	return cmd
}

// putOptions are the options of files put.
type putOptions struct{ alt, folder string }

func putFilesCommand() *cobra.Command {
	var o putOptions
	cmd := &cobra.Command{
		Use: "put PATH...", Short: "Upload files, and all files in folders", Args: cobra.MinimumNArgs(1),
		Long: "Upload files, and all files in folders, and print the id and address of each. Hidden files are left out. " +
			"Files\n" + "that are not taken are named, and the exit code is 1.",
		Example: "  cms files put photos/ logo.svg --folder Campaign",
		RunE: command.Work(func(c *client.Client, args []string) error {
			files, err := filesIn(args)
			if err != nil {
				return err
			}
			folder, err := folderID(c, o.folder)
			if err != nil {
				return err
			}
			return putFiles(c, files, folder, o.alt)
		}),
	}
	cmd.Flags().StringVar(&o.alt, "alt", "", "alternative text of the files")
	cmd.Flags().StringVar(&o.folder, "folder", "", "name of a folder of the library; it is made if there is none")
	return cmd
}

// filesIn returns the files at paths and below them, without hidden ones.
func filesIn(paths []string) ([]string, error) {
	var files []string
	for _, path := range paths {
		err := filepath.WalkDir(path, func(file string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			hidden := file != path && strings.HasPrefix(d.Name(), ".")
			switch {
			case hidden && d.IsDir():
				return fs.SkipDir
			case !hidden && d.Type().IsRegular():
				files = append(files, file)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return files, nil
}

// folderID returns the id of the folder with a name, "" without a name. It makes the folder if
// there is none.
func folderID(c *client.Client, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	var id string
	err := client.Each(c, "/admin/media/folders", url.Values{}, func(folder map[string]any) error {
		if folder["name"] == name {
			id, _ = folder["id"].(string)
		}
		return nil
	})
	if err != nil || id != "" {
		return id, err
	}
	var made struct{ ID string }
	err = c.JSON(http.MethodPost, "/admin/media/folders", map[string]string{"name": name}, &made)
	return made.ID, err
}

func putFiles(c *client.Client, files []string, folder, alt string) error {
	bar := command.NewProgress("uploading", len(files))
	defer bar.End()
	var failed []error
	for _, file := range files {
		stored, err := putFile(c, file, folder, alt)
		bar.Add(1)
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", file, err))
			continue
		}
		fmt.Fprintf(command.Stdout, "%s\t%s\t%s\n", stored.ID, stored.URL, file)
	}
	return errors.Join(failed...)
}

// putFile uploads one file straight to the store, whatever its size.
func putFile(c *client.Client, file, folder, alt string) (stored struct{ ID, URL string }, err error) {
	kind, _, _ := strings.Cut(mime.TypeByExtension(strings.ToLower(filepath.Ext(file))), ";")
	about := map[string]any{"mime": kind, "alt": alt}
	if folder != "" {
		about["folder_id"] = folder
	}
	id, err := sendFile(c, file, about)
	if err != nil {
		return stored, err
	}
	return stored, c.JSON(http.MethodPost, "/admin/media/direct/"+id+"/complete", map[string]any{}, &stored)
}

// sendFile sends a file straight to the store and returns the id of the upload. about describes the file beside its
// name and size.
func sendFile(c *client.Client, file string, about map[string]any) (id string, err error) {
	content, size, err := client.Open(file)
	if err != nil {
		return "", err
	}
	defer content.Close()
	if size == 0 {
		return "", fmt.Errorf("%s is empty", file)
	}
	about["name"], about["size"] = filepath.Base(file), size
	return c.SendDirect("/admin/media/direct", about, content, size)
}
