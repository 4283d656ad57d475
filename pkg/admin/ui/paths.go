package ui

import "net/url"

// ModelPath returns the path of the pages of a model, below Base.
func ModelPath(model string) string { return "/models/" + url.PathEscape(model) }

// EntriesPath returns the path of the list of entries of a model, below Base.
func EntriesPath(model string) string { return ModelPath(model) + "/entries" }

// EntryPath returns the path of the page of an entry, below Base.
func EntryPath(model, id string) string { return EntriesPath(model) + "/" + url.PathEscape(id) }
