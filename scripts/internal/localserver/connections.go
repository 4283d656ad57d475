package localserver

import (
	"container/list"
	"net"
	"net/http"
	"sync"
)

// connections limits the connections of a server, in total and for each IP address. A new
// connection above a limit closes the one that has been idle for the longest time; above the limit
// of an address, this is one of that address. So a client that only holds connections cannot keep
// others out. If none is idle, the new connection is closed.
type connections struct {
	limit      int
	perAddress int
	trusted    func(address string) bool // a proxy, which holds the connections of many clients

	mu        sync.Mutex
	open      int
	addresses map[string]int             // how many connections each has
	idle      *list.List                 // idle net.Conns, the longest idle first
	elements  map[net.Conn]*list.Element // the element of each connection in idle
}

func newConnections(limit, perAddress int, trusted func(address string) bool) *connections {
	return &connections{limit: limit, perAddress: perAddress, trusted: trusted,
		addresses: map[string]int{}, idle: list.New(), elements: map[net.Conn]*list.Element{}}
}

// change is the ConnState function of an http.Server.
func (c *connections) change(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if element := c.elements[conn]; element != nil {
		c.idle.Remove(element)
		delete(c.elements, conn)
	}
	switch state {
	case http.StateNew:
		c.add(conn)
		fallthrough
	case http.StateIdle:
		c.elements[conn] = c.idle.PushBack(conn)
	case http.StateClosed, http.StateHijacked:
		c.remove(conn)
	}
}

// add counts a new connection and closes one if a limit is exceeded.
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

// endOne closes the longest idle connection that mayEnd accepts, or else the new one. The server
// reports the closing to change later.
func (c *connections) endOne(added net.Conn, mayEnd func(net.Conn) bool) {
	last := added
	for element := c.idle.Front(); element != nil; element = element.Next() {
		if conn := element.Value.(net.Conn); mayEnd(conn) {
			last = conn
			c.idle.Remove(element)
			delete(c.elements, conn)
			break
		}
	}
	_ = last.Close() // the connection is given up in any case
}

// addressOf returns the IP address of a connection's client, without its port.
func addressOf(conn net.Conn) string {
	address := conn.RemoteAddr().String()
	if host, _, err := net.SplitHostPort(address); err == nil {
		return host
	}
	return address
}
