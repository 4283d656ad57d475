package frame

import (
	"headless/pkg/admin/ui"
	"headless/pkg/cms"
)

// maxBulk is the greatest number of items that one request may change.
const maxBulk = 100

// BulkIDs reads the ids of a change of several items, from a form or from the ids of a body. p gets a
// problem if there are none or too many; a form may have none.
func (c *Call) BulkIDs(body map[string]any, p cms.Problems) (ids []string) {
	list, ok := body["ids"].([]any)
	if c.IsForm {
		list, ok = ui.Anys(c.Form["ids"]), true
	}
	for _, item := range list {
		id, isText := item.(string)
		ids, ok = append(ids, id), ok && isText
	}
	if !ok {
		p.Add("ids", "must be a list of texts")
	} else if len(ids) == 0 && !c.IsForm || len(ids) > maxBulk {
		p.Add("ids", "must have 1 to %d items", maxBulk)
	}
	return ids
}

// Bulk changes items one by one. The answer lists those that failed; the others are changed all the
// same. Browsers go back to the list.
func Bulk(ids []string, list string, change func(id string) error) (Result, error) {
	if len(ids) == 0 {
		return Result{Redirect: list + "?ok=none"}, nil
	}
	done, failed, ok := 0, []map[string]string{}, "saved"
	for _, id := range ids {
		err := change(id)
		if e := AsError(err); e != nil {
			failed = append(failed, map[string]string{"id": id, "code": string(e.Code), "message": e.Message})
			ok = "some"
		} else if err != nil {
			return Result{}, err
		} else {
			done++
		}
	}
	return Result{Data: map[string]any{"done": done, "failed": failed}, Redirect: list + "?ok=" + ok}, nil
}
