package site

import (
	"headless/pkg/cms"
	"headless/pkg/db"
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
		if other.ID != m.ID && relatesTo(other.Fields, was) {
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

// followRename updates the relations of other models when a model gets another slug.
func followRename(tx *db.Tx, site *Site, was string, m cms.Model) {
	if was == "" || was == m.Slug {
		return
	}
	for slug, other := range site.Models {
		if other.ID != m.ID && relatesTo(other.Fields, was) {
			next := *other
			next.Fields = cloneFields(other.Fields)
			renameRelations(next.Fields, was, m.Slug)
			PutModel(tx, site, slug, next)
		}
	}
}

func renameRelations(fields []cms.Field, from, to string) {
	if from == "" || from == to {
		return
	}
	for i := range fields {
		if fields[i].Type == cms.TypeRelation && fields[i].Model == from {
			fields[i].Model = to
		}
		renameRelations(fields[i].Fields, from, to)
	}
}
