package assets

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/index"
	"headless/pkg/must"
)

// TestFolders has uploads and deletions of folders run against each other.
func TestFolders(t *testing.T) {
	w := newMediaWorld(t)
	s := w.start(nil)
	ctx := t.Context()
	var folders []string
	for i := range 4 {
		f, err := s.CreateFolder(ctx, mediaActor, map[string]any{"name": fmt.Sprint("F", i)})
		must.Do(t, err)
		folders = append(folders, f.ID)
	}
	allowed := func(err error, codes ...cms.Code) {
		var e *cms.Error
		if err != nil && (!errors.As(err, &e) || !slices.Contains(codes, e.Code)) {
			t.Error(err)
		}
	}
	var wait sync.WaitGroup
	for _, id := range folders {
		for range 3 {
			wait.Go(func() {
				u := textUpload("a.txt", "x")
				u.FolderID = strings.ToUpper(id)
				_, err := s.Upload(ctx, mediaActor, u)
				allowed(err, cms.CodeValidationFailed)
			})
			wait.Go(func() {
				allowed(s.DeleteFolder(ctx, mediaActor, id), cms.CodeConflict,
					cms.CodeNotFound)
			})
		}
	}
	wait.Wait()
	page, err := s.List(ctx, index.ListQuery{Paging: db.Paging{Page: 1, PerPage: 100}})
	must.Do(t, err)
	for _, m := range page.Items {
		if m.Folder == "" {
			t.Errorf("a file is in a folder that is gone: %+v", m)
		}
	}
	if _, err := s.CreateFolder(ctx, mediaActor, map[string]any{"name": "Same"}); err != nil {
		t.Fatal(err)
	}
	_, err = s.CreateFolder(ctx, mediaActor, map[string]any{"name": "Same"})
	allowed(err, cms.CodeConflict)
	if err == nil {
		t.Error("two folders of one name")
	}
	if _, err := s.CreateFolder(ctx, mediaActor, map[string]any{"name": strings.Repeat("𝕏", 255)}); err != nil {
		t.Errorf("a long name: %v", err)
	}
}
