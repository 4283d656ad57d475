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

func RankKey(space string) table.Key { return table.Key{Partition: "R#" + space, Sort: "r"} }

// BlockPrefix begins the keys of all blocks of a list of postings, and is the key of the first.
func BlockPrefix(space, stem string) table.Key {
	return table.Key{Partition: postingPartition(space, firstRune(stem)), Sort: stem + "\x00"}
}

func postingPartition(space, first string) string { return "P#" + space + "#" + first }

func wordPartition(dictionary, first string) string { return runesPartition(dictionary) + "#" + first }

// runesPartition lists which partitions of words and postings there are.
func runesPartition(dictionary string) string { return "W#" + dictionary }

// blockKey is the key of the block that holds the postings from an entry on.
func blockKey(space, stem string, from uuid.UUID) table.Key {
	key := BlockPrefix(space, stem)
	key.Sort += string(from[:])
	return key
}

// dictionaryOf is the space without the status: the entries of a model and locale share their
// words.
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

func PendingPartition(modelID string) string { return "Q#" + modelID }

func PendingKey(modelID string, id uuid.UUID) table.Key {
	return table.Key{Partition: PendingPartition(modelID), Sort: string(id[:])}
}

// pendingEntry is the entry of a pending change; ok is false for the state of the merges.
func pendingEntry(key table.Key) (id uuid.UUID, ok bool) {
	return id, copy(id[:], key.Sort) == len(id)
}

// mergesKey sorts before all pending changes.
func mergesKey(modelID string) table.Key {
	return table.Key{Partition: PendingPartition(modelID), Sort: "\x00"}
}
