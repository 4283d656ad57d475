// Package web has the HTTP parts that the API, the admin area, the delivery API and the image
// server share, so that they behave in the same way everywhere: the envelope of a response and the
// status of an error code, reading of bodies, the parameters of a list, the IP address of a visitor
// behind proxies, compression, request ids, and recovery from a panic.
//
// The package knows no routes and no users. A handler that fails returns an error. Safe converts it
// to one that a client may see, and logs the rest.
package web
