package resource

import (
	"context"

	"headless/pkg/admin/frame"
	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/input"
)

// Service is the use cases of one kind of item. Most packages of services implement it.
type Service[T any] interface {
	List(ctx context.Context, p db.Paging) (db.Page[T], error)
	Get(ctx context.Context, id string) (T, error)
	Create(ctx context.Context, actor cms.Actor, body map[string]any) (T, error)
	Update(ctx context.Context, actor cms.Actor, id string, body map[string]any, ok input.Precondition[T]) (T, error)
	Delete(ctx context.Context, actor cms.Actor, id string) error
}

// On sets the functions of the kind that are nil to the methods of a service. Changes are made
// in the name of the user of the request.
func (k Kind[T]) On(s Service[T]) Kind[T] {
	if k.List == nil {
		k.List = func(c *frame.Call, p db.Paging) (db.Page[T], error) { return s.List(c.R.Context(), p) }
	}
	if k.Get == nil {
		k.Get = func(c *frame.Call, id string) (T, error) { return s.Get(c.R.Context(), id) }
	}
	if k.Create == nil {
		k.Create = func(c *frame.Call, body map[string]any) (T, error) {
			return s.Create(c.R.Context(), c.Actor(), body)
		}
	}
	if k.Update == nil {
		k.Update = func(c *frame.Call, id string, body map[string]any, ok input.Precondition[T]) (T, error) {
			return s.Update(c.R.Context(), c.Actor(), id, body, ok)
		}
	}
	if k.Delete == nil {
		k.Delete = func(c *frame.Call, id string) error { return s.Delete(c.R.Context(), c.Actor(), id) }
	}
	return k
}
