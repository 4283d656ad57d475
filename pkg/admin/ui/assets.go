package ui

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"hash/crc32"
	"html/template"
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
		if kind == "js" || kind == "css" {
			body = lean(body)
		}
		all = append(all, body...)
	}
	return all, nil
}

// lean leaves out the indentation and the lines of comments of a script or a style sheet, up to a
// sixth of what it weighs on the wire. What others have written is small already.
func lean(script []byte) []byte {
	if !bytes.Contains(script[:min(len(script), 4<<10)], []byte("\n  ")) {
		return script
	}
	out := make([]byte, 0, len(script))
	for line := range bytes.Lines(script) {
		line = bytes.TrimLeft(line, " ")
		isNote := bytes.HasPrefix(line, []byte("/*")) && bytes.HasSuffix(bytes.TrimSpace(line), []byte("*/"))
		if !isNote && !bytes.HasPrefix(line, []byte("//")) {
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

// Styles and Scripts are the addresses of the files that a page loads at once.
func (v View) Styles() []string {
	return v.addresses("app.css", v.joined("css", append(slices.Clone(v.Assets), v.LaterAssets...)))
}

func (v View) Scripts() []string {
	if v.User == nil {
		return v.addresses(v.joined("js", v.Assets))
	}
	return v.addresses("app.pages.js", v.joined("js", v.Assets))
}

// Later is the address of the scripts that come once the page is ready, "" for none.
func (v View) Later() string { return strings.Join(v.addresses(v.joined("js", v.LaterAssets)), "") }

func (v View) addresses(names ...string) (list []string) {
	for _, name := range names {
		if name != "" {
			list = append(list, Base+"/assets/"+name+"?v="+v.Tag)
		}
	}
	return list
}

// Sheet is all styles of a page, for a browser that has no files yet: it shows the page without
// waiting for them.
func (v View) Sheet() (template.CSS, error) {
	names := append([]string{"app"}, v.Assets...)
	names = append(names, v.LaterAssets...)
	sheet, err := Asset(v.joined("css", names))
	return template.CSS(sheet), err // of the program
}

// SheetHash is the source of Sheet for a content policy.
func (v View) SheetHash() (string, error) {
	sheet, err := v.Sheet()
	sum := sha256.Sum256([]byte(sheet))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'", err
}

// joined names the files of a kind as one, as Asset takes it, "" for none.
func (p *Page) joined(kind string, assets []string) string {
	var names []string
	for _, name := range assets {
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
