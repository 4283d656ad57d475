// Package input has what all use cases share: it decodes request bodies, from JSON and from HTML
// forms, checks preconditions, names and permissions, and writes NOT_FOUND errors.
package input
