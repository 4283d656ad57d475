// Package quickedit edits the simple fields of an entry in its row of a list. It saves as the page of the entry does.
package quickedit
