package ui

import (
	"io/fs"
	"slices"
	"strings"
)

// Token is a value of the design that style sheets name: a colour, a size of text, a space, a radius, a
// shadow or a time. Dark is its value in dark mode, "" if it is the same.
type Token struct {
	Name  string `json:"name"` // without the leading hyphens
	Light string `json:"light"`
	Dark  string `json:"dark,omitempty"`
}

// Tokens lists the tokens in the order of app.css, whose first two blocks define them.
func Tokens() []Token {
	sheet, err := fs.ReadFile(AssetFiles, "assets/app.css")
	if err != nil {
		panic("ui: app.css is not embedded: " + err.Error())
	}
	light, rest, _ := strings.Cut(string(sheet), "\n}\n")
	dark, _, _ := strings.Cut(rest, "\n}\n")
	tokens := properties(light)
	for _, d := range properties(dark) {
		i := slices.IndexFunc(tokens, func(t Token) bool { return t.Name == d.Name })
		tokens[i].Dark = d.Light
	}
	return tokens
}

// properties lists the custom properties of a block.
func properties(block string) (list []Token) {
	for line := range strings.SplitSeq(block, ";") {
		_, line, _ = strings.Cut(line, "--")
		if name, value, ok := strings.Cut(line, ": "); ok {
			list = append(list, Token{Name: name, Light: value})
		}
	}
	return list
}

// Colour reports whether a token is a colour.
func (t Token) Colour() bool { return strings.HasPrefix(t.Light, "#") }
