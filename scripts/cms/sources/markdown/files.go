package markdown

import (
	"cmp"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"headless/scripts/cms/sources"
)

// local returns the path below the folder of a file that a page in the folder from names, "" if
// there is none. A name that begins with / is looked up in the folder, and in its static and public
// folders.
func (r *reader) local(name, from string) string {
	name, _, _ = strings.Cut(name, "#")
	if name == "" || strings.Contains(name, "://") {
		return ""
	}
	if plain, err := url.PathUnescape(name); err == nil && plain != name {
		if local := r.local(plain, from); local != "" {
			return local
		}
	}
	tries := []string{path.Join(from, name)}
	if strings.HasPrefix(name, "/") {
		tries = []string{path.Clean(name)[1:], path.Join("static", name), path.Join("public", name)}
	}
	for _, try := range tries {
		if sources.HasFile(r.dir, filepath.FromSlash(try)) {
			return try
		}
	}
	return ""
}

// file returns the file that a page in the folder from names, nil if there is none.
func (r *reader) file(name, from string) *sources.File {
	local := r.local(name, from)
	if local == "" {
		return nil
	}
	if r.known[local] == nil {
		f := &sources.File{
			Source: local, ID: sources.MakeID("file", local), Name: path.Base(local),
			Path: filepath.Join(r.dir, filepath.FromSlash(local)),
		}
		if content, err := os.ReadFile(f.Path); err == nil {
			f.ID = sources.MakeID("file", string(content)) // folders of one name stay apart, and copies are one file
		}
		r.known[local] = f
		r.site.Files = append(r.site.Files, f)
	}
	return r.known[local]
}

var image = regexp.MustCompile(`!\[([^\]]*)\]\(\s*(?:<([^>\n]+)>|([^)\s]+))([^)]*)\)`)

// inText adds the files of images in the text of a page that are in the folder, and puts placeholders for them
// into the text. It notes images that are not there.
func (r *reader) inText(text, page string) string {
	return image.ReplaceAllStringFunc(text, func(match string) string {
		part := image.FindStringSubmatch(match)
		name := cmp.Or(part[2], part[3])
		file := r.file(name, path.Dir(page))
		if file == nil {
			if u, err := url.Parse(name); err != nil || u.Scheme == "" && u.Host == "" {
				r.site.Note(page, "there is no file %s", name)
			}
			return match
		}
		file.Alt = cmp.Or(file.Alt, part[1])
		return "![" + part[1] + "](" + sources.Placeholder(file.ID) + part[4] + ")"
	})
}
