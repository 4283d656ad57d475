package fulltext

import (
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"headless/pkg/table"
)

// Every key of this package is made in this file.
//
//	access pattern                                   partition                           sort
//	text postings of a space, in blocks              P#<space>#<first rune>              <stem> 0 [<first id>]
//	words of a dictionary, for prefixes              W#<dictionary>#<first rune>         <word> 0 <stem>
//	first runes of words and stems                   W#<dictionary>                      <first rune>
//	texts that are not merged yet; their merges      Q#<index name>                      <entry id> | 0
//	ranks of the default order of a space            R#<space>                           r

// RankKey is the key of the ranks of a space.
func RankKey(space string) table.Key { return table.Key{Partition: "R#" + space, Sort: "r"} }

// BlockPrefix is the common prefix of the keys of a posting list's blocks. It is the key of the
// first block.
func BlockPrefix(space, stem string) table.Key {
	return table.Key{Partition: postingPartition(space, firstRune(stem)), Sort: stem + "\x00"}
}

func postingPartition(space, first string) string { return "P#" + space + "#" + first }

func wordPartition(dictionary, first string) string { return runesPartition(dictionary) + "#" + first }

// runesPartition is the partition that lists the first runes of words and stems; they lead to the
// partitions of words and postings.
func runesPartition(dictionary string) string { return "W#" + dictionary }

// blockKey is the key of the block whose postings begin at the entry from.
func blockKey(space, stem string, from uuid.UUID) table.Key {
	key := BlockPrefix(space, stem)
	key.Sort += string(from[:])
	return key
}

// dictionaryOf returns the space without the status: the entries of a model and locale share one
// dictionary.
func dictionaryOf(space string) string {
	parts := strings.SplitN(space, "#", 4)
	if len(parts) == 4 {
		return parts[0] + "#" + parts[1] + "#" + parts[3]
	}
	return parts[0] + "#" + parts[1]
}

func wordKey(dictionary, word, stem string) table.Key {
	return table.Key{Partition: wordPartition(dictionary, firstRune(word)), Sort: word + "\x00" + stem}
}

func firstRune(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}

// PendingPartition is the partition of an index's pending changes.
func PendingPartition(modelID string) string { return "Q#" + modelID }

// PendingKey is the key of an entry's pending change.
func PendingKey(modelID string, id uuid.UUID) table.Key {
	return table.Key{Partition: PendingPartition(modelID), Sort: string(id[:])}
}

// pendingEntry returns the entry of a pending change; ok is false for the row that holds the state
// of the merges.
func pendingEntry(key table.Key) (id uuid.UUID, ok bool) {
	return id, copy(id[:], key.Sort) == len(id)
}

// mergesKey is the key of the state of an index's merges. It sorts before all pending changes.
func mergesKey(modelID string) table.Key {
	return table.Key{Partition: PendingPartition(modelID), Sort: "\x00"}
}
