package ui

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash/crc32"
	"html/template"
	"io"
	"io/fs"
	"slices"
	"strings"

	"headless/pkg/admin/say"
)

// Asset returns a style sheet, script or other file of the pages. A name such as "entry.frame.js"
// stands for entry.js followed by frame.js, so that a page with many parts loads few files. No part
// may occur twice. The texts of scripts are in a language.
func Asset(name string, in *say.Language) ([]byte, error) {
	parts := strings.Split(name, ".")
	kind := parts[len(parts)-1]
	parts = parts[:len(parts)-1]
	if len(parts) == 0 {
		return nil, fs.ErrNotExist
	}
	all := make([]byte, 0, 32<<10)
	for i, part := range parts {
		if slices.Contains(parts[:i], part) {
			return nil, fs.ErrNotExist
		}
		body, err := fs.ReadFile(AssetFiles, "assets/"+part+"."+kind)
		if err != nil {
			return nil, fs.ErrNotExist // or no name of a file
		}
		if ours := bytes.Contains(body[:min(len(body), 4<<10)],
			[]byte("\n  ")); ours && (kind == "js" || kind == "css") {
			body = stripComments(body)
			if kind == "js" && part != "preview" {
				body = in.Script(body)
			}
		}
		all = append(all, body...)
	}
	return all, nil
}

// stripComments removes indentation and comments from a script or style sheet, which saves about a sixth
// of the transferred bytes. Comments in the middle of a line stay. Third-party files are minified already and do not
// change.
func stripComments(script []byte) []byte {
	out := make([]byte, 0, len(script))
	for line := range bytes.Lines(script) {
		line = bytes.TrimLeft(line, " ")
		isNote := bytes.HasPrefix(line, []byte("/*")) && bytes.HasSuffix(bytes.TrimSpace(line), []byte("*/"))
		if isNote || bytes.HasPrefix(line, []byte("//")) {
			continue
		}
		// Behind code, a comment follows the end of a statement or a bracket. One with quotes may be a part of a string.
		end := bytes.LastIndex(line, []byte(" // "))
		if end > 0 && bytes.IndexByte([]byte(";,(){}[]"), line[end-1]) >= 0 && !bytes.ContainsAny(line[end:], "\"'`") {
			line = append(line[:end:end], '\n')
		}
		out = append(out, line...)
	}
	return out
}

// UseParts adds the scripts and style sheets for the contents of the page.
func (p *Page) UseParts() {
	if p.Login != nil && p.Login.Passkeys {
		p.Use("passkeys")
	}
	if p.List != nil || p.Detail != nil {
		p.Use("rows")
	}
	if p.List != nil {
		p.Use("list")
		p.Use("tools")
	}
	if p.Form != nil && slices.ContainsFunc(p.Form.Fields, func(f Field) bool { return f.Picture != "" }) {
		p.Use("focal")
	}
}

// Font is the name of the font's file, which changes with its version.
const Font = "inter-5-3-0.woff2"

// Font returns the URL of the font. Styles returns those of the style sheets of a page, Scripts those
// of its scripts, without the ones for later. Pages for everybody need none, unless they name some.
func (v View) Font() string { return Base + "/assets/" + Font }

func (v View) Styles() []string {
	return v.addresses("app.font.css", v.joinAssets("css", append(slices.Clone(v.Assets), v.LaterAssets...)))
}

func (v View) Scripts() []string {
	own := v.joinAssets("js", v.Assets)
	if v.User == nil && own == "" {
		return nil
	}
	return v.addresses("app.pages.js", own)
}

// Later returns the URL of the scripts to load once the page is ready, "" for none.
func (v View) Later() string { return strings.Join(v.addresses(v.joinAssets("js", v.LaterAssets)), "") }

func (v View) addresses(names ...string) (list []string) {
	for _, name := range names {
		if name != "" {
			list = append(list, Base+"/assets/"+name+"?v="+v.Tag+v.inLanguage(name))
		}
	}
	return list
}

// inLanguage returns the query parameter that asks for a script in the language of the page. The scripts
// ask for their modules with the same query.
func (v View) inLanguage(name string) string {
	if v.Lang == say.English || !strings.HasSuffix(name, ".js") {
		return ""
	}
	return "&lang=" + v.Lang.Code
}

// UseSheet sets Sheet to all styles of the page, for a browser without cached files. The page is
// then shown without waiting for style sheets, in a font of the system. It returns the hash of the styles as a source
// for the content security policy.
func (v *View) UseSheet() (string, error) {
	names := append([]string{"app"}, v.Assets...)
	names = append(names, v.LaterAssets...)
	sheet, err := Asset(v.joinAssets("css", names), v.Lang)
	v.Sheet = template.CSS(sheet) // safe: part of the program
	sum := sha256.Sum256(sheet)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'", err
}

// joinAssets returns the combined name of the existing files of a kind, as Asset takes it; "" for none.
func (p *Page) joinAssets(kind string, assets []string) string {
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

// builtTag is the tag of the assets if the build knows it, as that of the functions does. A cold
// start then reads no assets that its page does not have.
var builtTag string

// assetTag returns a checksum of all assets and of the catalogues that scripts are translated by,
// for their URLs. A start waits for it, so it is a fast checksum, and the files are read without
// copying them.
func assetTag() string {
	if builtTag != "" {
		return builtTag
	}
	sum := crc32.NewIEEE()
	names, err := fs.Glob(AssetFiles, "assets/*")
	if err != nil {
		panic(err)
	}
	catalogues, err := fs.Glob(say.Files, "lang/*")
	if err != nil {
		panic(err)
	}
	buffer := make([]byte, 32<<10)
	take := func(files fs.FS, names []string) {
		for _, name := range names {
			file, err := files.Open(name)
			if err != nil {
				panic(err)
			}
			if _, err := io.CopyBuffer(sum, file, buffer); err != nil {
				panic(err)
			}
		}
	}
	take(AssetFiles, names)
	take(say.Files, catalogues)
	return hex.EncodeToString(sum.Sum(nil))
}
