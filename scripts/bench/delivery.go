package main

import (
	"context"
	"fmt"
	"io"
)

// deliveryHits measures cached responses of the delivery API.
func (c *contentBench) deliveryHits(ctx context.Context, out io.Writer, o options, address string) error {
	for _, path := range []string{"/" + model + "?per_page=20", "/settings"} {
		path = "/delivery/v1/" + c.site + path
		n, err := rate(ctx, o, address, "GET "+path+" HTTP/1.1\r\nHost: localhost\r\n\r\n")
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "delivery from the cache, %d clients, %s: %.0f a second\n", o.clients, path, n)
	}
	return nil
}
