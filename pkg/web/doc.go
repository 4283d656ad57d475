// Package web has the HTTP parts that the API, the admin area, the delivery API and the image
// server share, so that each has one meaning everywhere: the envelope of an answer and the status
// of an error code, reading of bodies, the parameters of a list, the address of a visitor behind
// proxies, compression, request ids, and recovery from a panic.
//
// The package knows no route and no user. Where a handler fails, it returns an error; Safe turns it
// into one that a client may see, and logs the rest.
package web
