package blobtest

import (
	"context"
	"io"
	"iter"

	"headless/pkg/blob"
)

// Faulty is a store whose calls fail as a test says. Addresses for clients are made without a call.
type Faulty struct {
	blob.Store
	// Do makes a call or not, and returns its error.
	Do func(ctx context.Context, call func() error) error
}

// Put implements blob.Store.
func (f Faulty) Put(ctx context.Context, key string, content io.ReadSeeker, meta blob.Meta) error {
	return f.Do(ctx, func() error { return f.Store.Put(ctx, key, content, meta) })
}

// Get implements blob.Store.
func (f Faulty) Get(ctx context.Context, key string, r blob.Range) (o *blob.Object, err error) {
	err = f.Do(ctx, func() (err error) { o, err = f.Store.Get(ctx, key, r); return err })
	if err != nil && o != nil {
		o.Body.Close()
		o = nil
	}
	return o, err
}

// Stat implements blob.Store.
func (f Faulty) Stat(ctx context.Context, key string) (info blob.Info, err error) {
	err = f.Do(ctx, func() (err error) { info, err = f.Store.Stat(ctx, key); return err })
	return info, err
}

// Copy implements blob.Store.
func (f Faulty) Copy(ctx context.Context, from blob.Info, key string) error {
	return f.Do(ctx, func() error { return f.Store.Copy(ctx, from, key) })
}

// Delete implements blob.Store.
func (f Faulty) Delete(ctx context.Context, key string) error {
	return f.Do(ctx, func() error { return f.Store.Delete(ctx, key) })
}

// List implements blob.Store.
func (f Faulty) List(ctx context.Context, prefix, after string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		if err := f.Do(ctx, func() error { return nil }); err != nil {
			yield(blob.Info{}, err)
			return
		}
		f.Store.List(ctx, prefix, after)(yield)
	}
}
