package wordpress

import (
	"cmp"
	"encoding/xml"
	"io"
	"strings"
	"time"
)

// The elements of a WordPress export (WXR 1.0 to 1.2) that are read. Names are without the XML
// namespace of the version.

type author struct {
	Login string `xml:"author_login"`
	Email string `xml:"author_email"`
	Name  string `xml:"author_display_name"`
}

// term is a category, a tag or a term of another taxonomy.
type term struct {
	XMLName     xml.Name
	Slug        string `xml:"category_nicename"`
	TagSlug     string `xml:"tag_slug"`
	TermSlug    string `xml:"term_slug"`
	Taxonomy    string `xml:"term_taxonomy"`
	CatName     string `xml:"cat_name"`
	TagName     string `xml:"tag_name"`
	TermName    string `xml:"term_name"`
	Description string `xml:"category_description"`
}

// taxonomy, slug and name work for every kind of term.
func (t *term) taxonomy() string {
	switch t.XMLName.Local {
	case "category":
		return "category"
	case "tag":
		return "post_tag"
	}
	return t.Taxonomy
}

func (t *term) slug() string { return t.Slug + t.TagSlug + t.TermSlug }
func (t *term) name() string { return t.CatName + t.TagName + t.TermName }

type item struct {
	Title   string `xml:"title"`
	Link    string `xml:"link"`
	Creator string `xml:"creator"`
	Encoded []struct {
		XMLName xml.Name
		Text    string `xml:",chardata"`
	} `xml:"encoded"`
	ID         string     `xml:"post_id"`
	GUID       string     `xml:"guid"`
	Date       string     `xml:"post_date_gmt"`
	LocalDate  string     `xml:"post_date"`
	Modified   string     `xml:"post_modified_gmt"`
	Slug       string     `xml:"post_name"`
	Status     string     `xml:"status"`
	Parent     string     `xml:"post_parent"`
	MenuOrder  string     `xml:"menu_order"`
	Type       string     `xml:"post_type"`
	Password   string     `xml:"post_password"`
	Attachment string     `xml:"attachment_url"`
	Terms      []category `xml:"category"`
	Meta       []meta     `xml:"postmeta"`
	Comments   []struct{} `xml:"comment"`
}

// category says that an item has a term.
type category struct {
	Domain string `xml:"domain,attr"`
	Slug   string `xml:"nicename,attr"`
	Name   string `xml:",chardata"`
}

type meta struct {
	Key   string `xml:"meta_key"`
	Value string `xml:"meta_value"`
}

// encodedPart returns the content or the excerpt of an item.
func (it *item) encodedPart(what string) string {
	for _, e := range it.Encoded {
		if strings.Contains(e.XMLName.Space, what) {
			return e.Text
		}
	}
	return ""
}

// meta returns the value of a custom field of an item.
func (it *item) meta(key string) string {
	for _, m := range it.Meta {
		if m.Key == key {
			return m.Value
		}
	}
	return ""
}

// term returns the slug of an item's first term of a taxonomy.
func (it *item) term(taxonomy string) string {
	for _, c := range it.Terms {
		if c.Domain == taxonomy {
			return c.Slug
		}
	}
	return ""
}

// wxr is a WordPress export.
type wxr struct {
	base    string // URL of the site
	authors []author
	terms   []term
	items   []*item
}

// readWXR reads an export, one element at a time, so that only the elements it needs are kept in
// memory.
func readWXR(r io.Reader) (*wxr, error) {
	export := &wxr{}
	dec := xml.NewDecoder(r)
	dec.Strict = false
	dec.Entity = xml.HTMLEntity
	for {
		token, err := dec.Token()
		if err == io.EOF {
			return export, nil
		}
		if err != nil {
			return nil, err
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		if err := export.element(dec, start); err != nil {
			return nil, err
		}
	}
}

// element reads one element of the channel.
func (x *wxr) element(dec *xml.Decoder, start xml.StartElement) error {
	switch start.Name.Local {
	case "base_site_url":
		return dec.DecodeElement(&x.base, &start)
	case "author":
		var a author
		err := dec.DecodeElement(&a, &start)
		x.authors = append(x.authors, a)
		return err
	case "category", "tag", "term":
		var t term
		err := dec.DecodeElement(&t, &start)
		x.terms = append(x.terms, t)
		return err
	case "item":
		it := &item{}
		err := dec.DecodeElement(it, &start)
		it.ID = cmp.Or(it.ID, it.GUID, it.Link) // handwritten exports may lack ids
		x.items = append(x.items, it)
		return err
	}
	return nil
}

// timeOf returns the first of texts that is a time, or the zero time.
func timeOf(texts ...string) time.Time {
	for _, text := range texts {
		if at, err := time.Parse(time.DateTime, text); err == nil && at.Year() > 1 {
			return at
		}
	}
	return time.Time{}
}
