package localserver

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// connections bounds how many connections a server has, in all and from each address. A new one
// above a limit ends the one that has been silent for the longest, of that address where it is the
// address that has too many. So whoever only holds connections keeps nobody out. Where none is
// silent, the new one is closed itself.
type connections struct {
	limit      int
	perAddress int
	trusted    func(address string) bool // a proxy, which holds the connections of many clients

	mu        sync.Mutex
	open      int
	addresses map[string]int             // how many connections each has
	silent    *list.List                 // of net.Conn: no request is under way, the longest first
	places    map[net.Conn]*list.Element // in silent
}

func newConnections(limit, perAddress int, trusted func(address string) bool) *connections {
	return &connections{limit: limit, perAddress: perAddress, trusted: trusted,
		addresses: map[string]int{}, silent: list.New(), places: map[net.Conn]*list.Element{}}
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
		c.add(conn)
		fallthrough
	case http.StateIdle:
		c.places[conn] = c.silent.PushBack(conn)
	case http.StateClosed, http.StateHijacked:
		c.remove(conn)
	}
}

// add counts a new connection and ends one where a limit is passed.
func (c *connections) add(conn net.Conn) {
	address := addressOf(conn)
	c.open++
	c.addresses[address]++
	switch {
	case c.addresses[address] > c.perAddress && !c.trusted(address):
		c.endOne(conn, func(other net.Conn) bool { return addressOf(other) == address })
	case c.open > c.limit:
		c.endOne(conn, func(net.Conn) bool { return true })
	}
}

func (c *connections) remove(conn net.Conn) {
	address := addressOf(conn)
	c.open--
	if c.addresses[address]--; c.addresses[address] == 0 {
		delete(c.addresses, address)
	}
}

// endOne closes the connection that has been silent for the longest of those that it may take, else
// the new one. Its end is told to change later.
func (c *connections) endOne(added net.Conn, mayEnd func(net.Conn) bool) {
	last := added
	for place := c.silent.Front(); place != nil; place = place.Next() {
		if conn := place.Value.(net.Conn); mayEnd(conn) {
			last = conn
			c.silent.Remove(place)
			delete(c.places, conn)
			break
		}
	}
	_ = last.Close() // it is given up whatever happens
}

// addressOf is the address of a connection's client, without its port.
func addressOf(conn net.Conn) string {
	address := conn.RemoteAddr().String()
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return address
}
