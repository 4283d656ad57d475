package site

import (
	"slices"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/site/renames"
)

// maxRelated is how many other models a rename may change, since all are stored in one transaction.
const maxRelated = 40

// checkRename refuses a new slug if too many models relate to this one. was is the current slug.
func checkRename(site *Site, was string, m cms.Model) error {
	if was == "" || was == m.Slug {
		return nil
	}
	related := 0
	for _, other := range site.Models {
		if other.ID != m.ID && RelatesTo(other.Fields, was) {
			related++
		}
	}
	if related > maxRelated {
		return cms.Errorf(cms.CodeConflict,
			"%d models have a relation to this one; its slug can be changed while there are at most %d.",
			related, maxRelated)
	}
	return nil
}

// followRename updates the relations of other models when a model gets another slug. It reports whether
// entries of one of them are to be rewritten.
func followRename(tx *db.Tx, site *Site, was string, m cms.Model) (building bool) {
	if was == "" || was == m.Slug {
		return false
	}
	for slug, other := range site.Models {
		if other.ID != m.ID && RelatesTo(other.Fields, was) {
			next := *other
			next.Fields = cloneFields(other.Fields)
			renameRelations(next.Fields, was, m.Slug)
			changes := renames.Changes{Slugs: map[string]string{was: m.Slug}}
			next.RenameFields(changes.Between(other.Fields, next.Fields, false)...)
			next.NextGeneration(other, site.Default)
			building = building || next.Building()
			PutModel(tx, site, slug, next)
		}
	}
	return building
}

func renameRelations(fields []cms.Field, from, to string) {
	if from == "" || from == to {
		return
	}
	for i := range fields {
		if fields[i].Type == cms.TypeRelation && fields[i].Model == from {
			fields[i].Model = to
		}
		if at := slices.Index(fields[i].Models, from); at >= 0 {
			fields[i].Models = slices.Clone(fields[i].Models)
			fields[i].Models[at] = to
			fields[i].Default, _ = renames.NameModels(fields[i].Default, map[string]string{from: to})
		}
		renameRelations(fields[i].Fields, from, to)
	}
}
