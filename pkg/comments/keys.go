package comments

import (
	"strings"

	"headless/pkg/table"
)

// Every key of this package is made in this file, except those of comments themselves, which are
// beside their entries (content.CommentKey).
//
//	access pattern                 partition               sort
//	comments by the author         COMMENTSBY#<address>    <model id>/<entry id>/<comment id>

func authorPartition(email string) string { return "COMMENTSBY#" + strings.ToLower(email) }

func authorKey(email, modelID, entryID, id string) table.Key {
	return table.Key{Partition: authorPartition(email), Sort: modelID + "/" + entryID + "/" + id}
}
