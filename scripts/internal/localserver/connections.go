package localserver

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// connections bounds how many connections a server has. A new one above the limit ends the one that
// has been silent for the longest, so that whoever only holds connections keeps nobody out; where
// none is silent, it is closed itself. There is no limit for each address: this server listens on
// loopback, where all clients of a proxy have one.
type connections struct {
	limit int

	mu     sync.Mutex
	open   int
	silent *list.List                 // of net.Conn: no request is under way, the longest first
	places map[net.Conn]*list.Element // in silent
}

func newConnections(limit int) *connections {
	return &connections{limit: limit, silent: list.New(), places: map[net.Conn]*list.Element{}}
}

// change is the ConnState of an http.Server.
func (c *connections) change(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if place := c.places[conn]; place != nil {
		c.silent.Remove(place)
		delete(c.places, conn)
	}
	switch state {
	case http.StateNew:
		c.open++
		if c.open > c.limit {
			c.endOne(conn)
		}
		fallthrough
	case http.StateIdle:
		c.places[conn] = c.silent.PushBack(conn)
	case http.StateClosed, http.StateHijacked:
		c.open--
	}
}

// endOne closes the connection that has been silent for the longest, else the new one. Its end is
// told to change later.
func (c *connections) endOne(added net.Conn) {
	last := added
	if first := c.silent.Front(); first != nil {
		last = first.Value.(net.Conn)
		c.silent.Remove(first)
		delete(c.places, last)
	}
	_ = last.Close() // it is given up whatever happens
}
