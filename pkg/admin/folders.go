package admin

import (
	"net/url"

	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// folderRoutes are the routes of media folders.
func folderRoutes(files *assets.Media) []Route {
	return Resource[cms.Folder]{
		Path: "/media/folders", Title: "Media folders", One: "folder", Write: cms.RoleEditor,
		List: func(c *Call, p db.Paging) (db.Page[cms.Folder], error) {
			list, err := files.Folders(c.R.Context())
			return db.PageOf(list, p), err
		},
		Get: func(c *Call, id string) (cms.Folder, error) { return files.Folder(c.R.Context(), id) },
		Create: func(c *Call, body map[string]any) (cms.Folder, error) {
			return files.CreateFolder(c.R.Context(), c.Actor(), body)
		},
		Update: func(c *Call, id string, body map[string]any,
			ok input.Precondition[cms.Folder]) (cms.Folder, error) {
			return files.UpdateFolder(c.R.Context(), c.Actor(), id, body, ok)
		},
		Delete:  func(c *Call, id string) error { return files.DeleteFolder(c.R.Context(), c.Actor(), id) },
		New:     func(*Call) (cms.Folder, error) { return cms.Folder{}, nil },
		ID:      func(f cms.Folder) string { return f.ID },
		Name:    func(f cms.Folder) string { return f.Name },
		Columns: []string{"Name"},
		Row:     func(f cms.Folder) []Cell { return []Cell{Text(f.Name)} },
		Detail: func(_ *Call, f cms.Folder) (*Detail, error) {
			in := url.Values{"filter[folder]": {f.Name}}
			return &Detail{
				Facts:   []Fact{{Label: "Id", Cells: []Cell{Code(f.ID)}}},
				Actions: []Action{{Label: "Files", Href: Base + "/media?" + in.Encode()}},
			}, nil
		},
		Fields: func(_ *Call, f *cms.Folder) ([]Field, error) {
			name := Field{Name: "name", Label: "Name", Kind: "text", Required: true}
			if f != nil {
				name.Value = f.Name
			}
			return []Field{name}, nil
		},
	}.Routes()
}
