package cmstest

import "io"

// Body is the body of a request. WhileSent is called once, while the body arrives.
type Body struct {
	io.Reader
	WhileSent func()
}

func (b *Body) Read(p []byte) (int, error) {
	if b.WhileSent != nil {
		b.WhileSent()
		b.WhileSent = nil
	}
	return b.Reader.Read(p)
}
