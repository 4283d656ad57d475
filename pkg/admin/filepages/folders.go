package filepages

import (
	"headless/pkg/admin/frame"
	"headless/pkg/admin/resource"
	"headless/pkg/admin/say"
	"headless/pkg/admin/ui"
	"headless/pkg/assets"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// folderRoutes returns the routes of media folders.
func folderRoutes(files *assets.Media) []frame.Route {
	return resource.Kind[cms.Folder]{
		Path: "/media/folders", Title: "Media folders", One: "folder", Event: "folder.updated", Write: cms.RoleEditor,
		List: func(c *frame.Call, p db.Paging) (db.Page[cms.Folder], error) {
			list, err := files.Folders(c.R.Context())
			return db.PageOf(list, p), err
		},
		Get: func(c *frame.Call, id string) (cms.Folder, error) { return files.Folder(c.R.Context(), id) },
		Create: func(c *frame.Call, body map[string]any) (cms.Folder, error) {
			return files.CreateFolder(c.R.Context(), c.Actor(), body)
		},
		Update: func(c *frame.Call, id string, body map[string]any,
			ok input.Precondition[cms.Folder]) (cms.Folder, error) {
			return files.UpdateFolder(c.R.Context(), c.Actor(), id, body, ok)
		},
		Delete: func(c *frame.Call, id string) error {
			return files.DeleteFolder(c.R.Context(), c.Actor(), id)
		},
		New:     func(*frame.Call) (cms.Folder, error) { return cms.Folder{}, nil },
		ID:      func(f cms.Folder) string { return f.ID },
		Name:    func(f cms.Folder) say.Text { return say.Data(f.Name) },
		Columns: []say.Text{"Name"},
		Row:     func(f cms.Folder) []ui.Cell { return []ui.Cell{ui.Text(f.Name)} },
		Detail: func(_ *frame.Call, f cms.Folder) (*ui.Detail, error) {
			return &ui.Detail{
				Facts:   []ui.Fact{ui.NewFact("Id", ui.Code(f.ID))},
				Actions: []ui.Action{{Label: "Files", Href: inFolder(f)}},
			}, nil
		},
		Fields: func(_ *frame.Call, f *cms.Folder) ([]ui.Field, error) {
			name := ui.Field{Name: "name", Label: "Name", Kind: "text", Required: true}
			if f != nil {
				name.Value = f.Name
			}
			return []ui.Field{name}, nil
		},
	}.Routes()
}
