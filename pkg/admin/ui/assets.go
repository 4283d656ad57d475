package ui

import (
	"bytes"
	"embed"
	"encoding/hex"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"strings"
)

//go:embed assets/*
var AssetFiles embed.FS

// Asset returns a file of the pages. The name of several files of a kind, such as "entry.frame.js"
// for entry.js and frame.js, is that of one after the other, each at most once: a page asks for few
// files, however many parts it has.
func Asset(name string) ([]byte, error) {
	parts := strings.Split(name, ".")
	kind := parts[len(parts)-1]
	parts = parts[:len(parts)-1]
	if len(parts) == 0 {
		return nil, fs.ErrNotExist
	}
	var all []byte
	for i, part := range parts {
		if slices.Contains(parts[:i], part) {
			return nil, fs.ErrNotExist
		}
		body, err := AssetFiles.ReadFile("assets/" + part + "." + kind)
		if err != nil {
			return nil, err
		}
		if kind == "js" {
			body = lean(body)
		}
		all = append(all, body...)
	}
	return all, nil
}

// lean leaves out the indentation and the lines of comments of a script, a sixth of what it weighs
// on the wire. What others have written is small already.
func lean(script []byte) []byte {
	if !bytes.Contains(script[:min(len(script), 4<<10)], []byte("\n  ")) {
		return script
	}
	out := make([]byte, 0, len(script))
	for line := range bytes.Lines(script) {
		if line = bytes.TrimLeft(line, " "); !bytes.HasPrefix(line, []byte("//")) {
			out = append(out, line...)
		}
	}
	return out
}

// UseParts adds the files of what the page shows.
func (p *Page) UseParts() {
	if p.Login != nil && p.Login.Passkeys {
		p.Use("passkeys")
	}
	if p.List != nil {
		p.Use("list")
	}
	if p.Form != nil && slices.ContainsFunc(p.Form.Fields, func(f Field) bool { return f.Picture != "" }) {
		p.Use("focal")
	}
}

// Styles and Scripts name the files that the page uses, as Asset takes them, "" for none.
func (p *Page) Styles() string  { return p.joined("css") }
func (p *Page) Scripts() string { return p.joined("js") }

func (p *Page) joined(kind string) string {
	var names []string
	for _, name := range p.Assets {
		_, err := fs.Stat(AssetFiles, "assets/"+name+"."+kind)
		if err == nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return strings.Join(append(names, kind), ".")
}

// assetTag is a checksum of all assets, for their addresses. A cold start waits for it, so the
// checksum is of a fast kind and reads the files without copying them.
func assetTag() string {
	sum := crc32.NewIEEE()
	names, err := fs.Glob(AssetFiles, "assets/*")
	if err != nil {
		panic(err)
	}
	buffer := make([]byte, 32<<10)
	for _, name := range names {
		file, err := AssetFiles.Open(name)
		if err != nil {
			panic(err)
		}
		if _, err := io.CopyBuffer(sum, file, buffer); err != nil {
			panic(err)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}
