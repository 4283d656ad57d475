package pages

import (
	"context"
	"html"
	"html/template"
	"regexp"
	"sort"
	"strings"
	"sync"
)

// maxFound is how many sections a search shows.
const maxFound = 30

// section is a part of a guide from one heading to the next.
type section struct {
	Guide   guide
	ID      string // of the heading in the page
	Heading string
	Excerpt string
	text    string
}

var (
	heading = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)<h[1-6] id="([^"]*)">(.*?)</h[1-6]>`)
	})
	tag = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`<[^>]*>`)
	})
)

// sections splits the page of a guide.
func sections(of guide, page template.HTML) (list []section) {
	text := string(page)
	at := heading().FindAllStringSubmatchIndex(text, -1)
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		list = append(list, section{Guide: of, ID: text[m[2]:m[3]], Heading: plain(text[m[4]:m[5]]),
			text: plain(text[m[1]:end])})
	}
	return list
}

// plain returns the text of HTML, on one line.
func plain(fragment string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tag().ReplaceAllString(fragment, ""))), " ")
}

// Points for a word of a search: in the title of the guide, in the heading, and at each place in the
// text up to the most that count.
const (
	inTitle   = 4
	inHeading = 6
	mostTimes = 5
)

// search finds the sections that have all words, the best first.
func (s *Site) search(ctx context.Context, q string) ([]section, error) {
	words := strings.Fields(strings.ToLower(q))
	points := map[string]int{}
	var found []section
	for _, g := range groups() {
		for _, guide := range g.Guides {
			page, err := s.Page(ctx, guide.Name)
			if err != nil {
				return nil, err
			}
			for _, sec := range sections(guide, page) {
				if n := sec.points(words); n > 0 {
					sec.Excerpt = excerpt(sec.text, words[0])
					points[guide.Name+"#"+sec.ID] = n
					found = append(found, sec)
				}
			}
		}
	}
	sort.SliceStable(found, func(i, j int) bool {
		return points[found[i].Guide.Name+"#"+found[i].ID] > points[found[j].Guide.Name+"#"+found[j].ID]
	})
	return found[:min(len(found), maxFound)], nil
}

// points returns how well a section fits the words, 0 if it lacks one.
func (s section) points(words []string) (sum int) {
	title, head, text := strings.ToLower(s.Guide.Title), strings.ToLower(s.Heading), strings.ToLower(s.text)
	for _, word := range words {
		n := min(strings.Count(text, word), mostTimes)
		if strings.Contains(title, word) {
			n += inTitle
		}
		if strings.Contains(head, word) {
			n += inHeading
		}
		if n == 0 {
			return 0
		}
		sum += n
	}
	return sum
}

// excerpt returns the text around the first place of a word.
func excerpt(text, word string) string {
	const before, length = 60, 200
	runes := []rune(text)
	start := 0
	if at := strings.Index(strings.ToLower(text), word); at > 0 {
		start = max(0, len([]rune(text[:min(at, len(text))]))-before)
	}
	end := min(len(runes), start+length)
	cut := string(runes[start:end])
	if start > 0 {
		cut = "… " + cut
	}
	if end < len(runes) {
		cut += " …"
	}
	return cut
}
