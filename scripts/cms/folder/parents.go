package folder

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
)

// place is where an entry stands in the tree of its model, and its line in a file.
type place struct {
	ID     string  `json:"id"`
	Parent *string `json:"parent"`
	at     int64   // of the line, in bytes
	length int
}

// ParentsFirst puts the lines of a file of entries into an order in which each comes after its parent, and else
// keeps their order. An import needs it. The file of a model without a tree does not change.
func ParentsFirst(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	places, err := placesIn(f)
	if err != nil {
		return err
	}
	ordered := parentsFirst(places)
	if ordered == nil {
		return nil
	}
	out, err := os.Create(name + ".sorted")
	if err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	for _, p := range ordered {
		if _, err = io.Copy(w, io.NewSectionReader(f, p.at, int64(p.length))); err != nil {
			break
		}
	}
	if err := errors.Join(err, w.Flush(), out.Close()); err != nil {
		return err
	}
	return os.Rename(name+".sorted", name)
}

// placesIn reads the places of the entries in a file, none if the first one has no parent key.
func placesIn(f io.Reader) (places []place, err error) {
	lines := bufio.NewReader(f)
	for at := int64(0); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			p := place{at: at, length: len(line)}
			if err := json.Unmarshal(line, &p); err != nil {
				return nil, err
			}
			var keys map[string]json.RawMessage
			if at == 0 {
				if err := json.Unmarshal(line, &keys); err != nil || keys["parent"] == nil {
					return nil, err
				}
			}
			places, at = append(places, p), at+int64(len(line))
		}
		if err == io.EOF {
			return places, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// parentsFirst returns the places in order, nil if they are in order already.
func parentsFirst(places []place) (ordered []place) {
	index, done, moved := map[string]int{}, make([]bool, len(places)), false
	for i, p := range places {
		index[p.ID] = i
	}
	var add func(i int)
	add = func(i int) {
		if done[i] {
			return
		}
		done[i] = true // before its parent, so that damage cannot make it endless
		if parent := places[i].Parent; parent != nil {
			if at, ok := index[*parent]; ok && !done[at] {
				moved = true
				add(at)
			}
		}
		ordered = append(ordered, places[i])
	}
	for i := range places {
		add(i)
	}
	if !moved {
		return nil
	}
	return ordered
}
