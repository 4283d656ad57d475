// Package shown finds which links in texts that are saved are addresses that reads show, or showed, for
// references in the stored texts (extensions §12), for the saves of package editing.
package shown

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"headless/pkg/content"
	"headless/pkg/refs"
	"headless/pkg/site"
	"headless/pkg/slice"
)

// shownLink is one link in a stored text, with the addresses that reads show for it: of a reference
// that of its target, and those of the target's translations.
type shownLink struct {
	target    refs.Target // zero for a link that is no reference
	addresses []string
	former    map[string]bool // addresses that it had before
}

// Texts are the links in the texts that a client may have read.
type Texts struct {
	store *content.Store
	site  *site.Site

	versions []map[string][]shownLink // of the stored entry and of its draft, by path
	all      []refs.Target            // of the references, each once
	numbers  map[string]numbers       // of the targets in all that have an address
	longest  int                      // bytes of an address in numbers
}

// numbers says which targets an address leads to: the number of the first one whose own address it is, of the first
// one to which it leads in some way, and of the first one that had it before. They count from 1; 0 is none.
type numbers struct{ own, any, former int }

// Read reads the addresses of the links in stored contents of a model. It returns nil if none of them is a
// reference to an entry.
func Read(ctx context.Context, store *content.Store, now *site.Site, m *site.Model,
	before []map[string]any) (*Texts, error) {
	shown := &Texts{store: store, site: now}
	var ids []string
	for _, data := range before {
		version := map[string][]shownLink{}
		shown.versions = append(shown.versions, version)
		refs.MapTexts(m.Fields, data, func(path, text string) string {
			for _, d := range refs.Destinations(text) {
				destination := text[d.Start:d.End]
				target, _, isReference := refs.Parse(destination)
				switch {
				case !isReference:
					version[path] = append(version[path], shownLink{addresses: []string{destination}})
				case !target.File:
					version[path] = append(version[path], shownLink{target: target})
					ids = append(ids, target.ID)
				}
			}
			return text
		})
	}
	if len(ids) == 0 {
		return nil, nil
	}
	slices.Sort(ids)
	addresses, former, err := shown.readAddresses(ctx, slices.Compact(ids))
	shown.numbers = map[string]numbers{}
	known := map[string]bool{}
	for _, version := range shown.versions {
		for _, links := range version {
			for i := range links {
				if id := links[i].target.ID; id != "" {
					links[i].addresses, links[i].former = addresses[id], former[id]
					if !known[id] {
						known[id] = true
						shown.number(links[i])
					}
				}
			}
		}
	}
	return shown, err
}

// Restore returns a text with the addresses of references replaced by the references. Two references
// may show the same address, so the links are aligned with those of the stored text.
func (s *Texts) Restore(path, text string) string {
	all := refs.Destinations(text)
	destinations := slice.Map(all, func(d refs.Destination) string { return text[d.Start:d.End] })
	var aligned []int
	var links []shownLink
	most := -1
	for _, version := range s.versions {
		if found, weight := align(version[path], destinations); weight > most {
			aligned, links, most = found, version[path], weight
		}
	}
	at := -1
	return refs.Substitute(text, all, func(destination string) (string, bool) {
		at++
		if _, _, isReference := refs.Parse(destination); isReference {
			return "", false
		}
		if i := aligned[at]; i >= 0 && links[i].target.ID != "" {
			rest, _, _ := links[i].shows(destination)
			return links[i].target.String() + rest, true
		}
		return s.anyFor(destination)
	})
}

// number adds the target of a link to all, and its addresses to numbers.
func (s *Texts) number(link shownLink) {
	s.all = append(s.all, link.target)
	n := len(s.all)
	for i, address := range link.addresses {
		of := s.numbers[address]
		of.any = cmp.Or(of.any, n)
		if i == 0 {
			of.own = cmp.Or(of.own, n)
		}
		s.numbers[address], s.longest = of, max(s.longest, len(address))
	}
	for address := range link.former {
		of := s.numbers[address]
		of.former = cmp.Or(of.former, n)
		s.numbers[address] = of
	}
}

// anyFor returns a reference of any text that a read shows as a destination: the first one to the entry that has this
// address itself, else the first one.
func (s *Texts) anyFor(destination string) (reference string, ok bool) {
	var own, other int
	var ownRest, otherRest string
	take := func(n int, rest string, least *int, leastRest *string) {
		if n > 0 && (*least == 0 || n < *least) {
			*least, *leastRest = n, rest
		}
	}
	for end := range min(len(destination), s.longest) + 1 {
		if end < len(destination) && strings.IndexByte("?#&", destination[end]) < 0 {
			continue
		}
		if rest, ok := refs.CutAddress(destination, destination[:end]); ok {
			of := s.numbers[destination[:end]]
			take(of.own, rest, &own, &ownRest)
			take(of.any, rest, &other, &otherRest)
		}
	}
	address, rest := cutQuery(destination)
	take(s.numbers[address].former, rest, &other, &otherRest)
	switch {
	case own > 0:
		return s.all[own-1].String() + ownRest, true
	case other > 0:
		return s.all[other-1].String() + otherRest, true
	}
	return "", false
}

// cutQuery returns a destination before its query and fragment, and these.
func cutQuery(destination string) (address, rest string) {
	end := strings.IndexAny(destination+"?", "?#")
	return destination[:end], destination[end:]
}

// shows reports whether a read shows or showed a link as a destination, and whether that is the address of its
// target itself. rest is the query and fragment of the destination.
func (l shownLink) shows(destination string) (rest string, own, ok bool) {
	for i, address := range l.addresses {
		if rest, ok := refs.CutAddress(destination, address); ok {
			return rest, i == 0, true
		}
	}
	address, rest := cutQuery(destination)
	return rest, false, l.former[address]
}

// maxAligned is the largest product of the numbers of links that align compares.
const maxAligned = 1 << 20

// align finds which stored link each destination of a text comes from, -1 for none: the heaviest
// common subsequence, in which a reference weighs more than another link.
func align(links []shownLink, destinations []string) (from []int, weight int) {
	from = make([]int, len(destinations))
	for j := range from {
		from[j] = -1
	}
	width := len(destinations) + 1
	if len(links)*width > maxAligned {
		return from, 0
	}
	best := make([]int, (len(links)+1)*width) // weights of the links from i and destinations from j
	gain := func(i, j int) int {
		_, own, ok := links[i].shows(destinations[j])
		switch {
		case !ok:
			return 0
		case links[i].target.ID == "":
			return 2
		case own:
			return 4
		}
		return 3
	}
	for i := len(links) - 1; i >= 0; i-- {
		for j := len(destinations) - 1; j >= 0; j-- {
			cell := max(best[(i+1)*width+j], best[i*width+j+1])
			if g := gain(i, j); g > 0 {
				cell = max(cell, g+best[(i+1)*width+j+1])
			}
			best[i*width+j] = cell
		}
	}
	for i, j := 0, 0; i < len(links) && j < len(destinations); {
		switch g := gain(i, j); {
		case g > 0 && best[i*width+j] == g+best[(i+1)*width+j+1]:
			from[j] = i
			i, j = i+1, j+1
		case best[i*width+j] == best[(i+1)*width+j]:
			i++
		default:
			j++
		}
	}
	return from, best[0]
}
