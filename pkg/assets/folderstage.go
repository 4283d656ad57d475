package assets

import (
	"errors"

	"headless/pkg/cms"
)

// StageFolder applies the body of a create or an update to a folder; see site.StageModel.
func StageFolder(p cms.Problems, f *Folder, body map[string]any) error {
	err := applyFolder(f, body)
	if invalid, ok := errors.AsType[*cms.Error](err); ok && invalid.Code == cms.CodeValidationFailed {
		p.Merge(invalid.Details)
		return nil
	}
	return err
}
