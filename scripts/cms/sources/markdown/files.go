package markdown

import (
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

var image = regexp.MustCompile(`!\[([^\]]*)\]\(\s*<?([^)\s>]+)>?([^)]*)\)`)

// inText adds the files of images in a text that are in the folder, and puts placeholders for them
// into the text.
func (r *reader) inText(text, from string) string {
	return image.ReplaceAllStringFunc(text, func(match string) string {
		part := image.FindStringSubmatch(match)
		file := r.file(part[2], from)
		if file == nil {
			return match
		}
		if file.Alt == "" {
			file.Alt = part[1]
		}
		return "![" + part[1] + "](" + sources.Placeholder(file.ID) + part[3] + ")"
	})
}
