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

// Changed is the answer to a change of several items: how many were changed, and which were not.
type Changed struct {
	Done   int       `json:"done"`
	Failed []Refused `json:"failed"`
}

// Refused is an item that was not changed, and why.
type Refused struct {
	ID      string   `json:"id"`
	Code    cms.Code `json:"code"`
	Message string   `json:"message"`
}

// Bulk changes items one by one. The answer lists those that failed; the others are changed all the
// same. Browsers go back to the list.
func Bulk(ids []string, list string, change func(id string) error) (Result, error) {
	if len(ids) == 0 {
		return Result{Redirect: list + "?ok=none"}, nil
	}
	done, ok := Changed{Failed: []Refused{}}, "saved"
	for _, id := range ids {
		err := change(id)
		if e := AsError(err); e != nil {
			done.Failed = append(done.Failed, Refused{id, e.Code, e.Describe()})
			ok = ui.Refused(ok, e, len(ids)-len(done.Failed), len(ids))
		} else if err != nil {
			return Result{}, err
		} else {
			done.Done++
		}
	}
	return Result{Data: done, Redirect: list + "?ok=" + ok}, nil
}
