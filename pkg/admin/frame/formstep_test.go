package frame

import (
	"net/url"
	"regexp"
	"testing"
)

func TestSteps(t *testing.T) {
	for do, want := range map[string]string{
		"up l.1":      "l.0.a=two&l.0.b.0.c=x&l.1.a=one&l.10.a=ten&v=&v=p&v=q",
		"down l.0":    "l.0.a=two&l.0.b.0.c=x&l.1.a=one&l.10.a=ten&v=&v=p&v=q",
		"remove l.1":  "l.0.a=one&l.10.a=ten&v=&v=p&v=q",
		"add l":       "l.0.a=one&l.1.a=two&l.1.b.0.c=x&l.10.a=ten&l.11._id=ID&v=&v=p&v=q",
		"add l quote": "l.0.a=one&l.1.a=two&l.1.b.0.c=x&l.10.a=ten&l.11._id=ID&l.11.type=quote&v=&v=p&v=q",
		"add l.1.b":   "l.0.a=one&l.1.a=two&l.1.b.0.c=x&l.1.b.1._id=ID&l.10.a=ten&v=&v=p&v=q",
		"up v q":      "l.0.a=one&l.1.a=two&l.1.b.0.c=x&l.10.a=ten&v=&v=q&v=p",
		"up v p":      "l.0.a=one&l.1.a=two&l.1.b.0.c=x&l.10.a=ten&v=&v=p&v=q",
		"down v none": "l.0.a=one&l.1.a=two&l.1.b.0.c=x&l.10.a=ten&v=&v=p&v=q",
		"up":          "l.0.a=one&l.1.a=two&l.1.b.0.c=x&l.10.a=ten&v=&v=p&v=q",
		"more l.0 d":  "l.0.a=one&l.0.d=&l.1.a=two&l.1.b.0.c=x&l.10.a=ten&v=&v=p&v=q",
		"up l.0":      "l.0.a=one&l.1.a=two&l.1.b.0.c=x&l.10.a=ten&v=&v=p&v=q",
	} {
		form := url.Values{"l.0.a": {"one"}, "l.1.a": {"two"}, "l.1.b.0.c": {"x"},
			"l.10.a": {"ten"}, "v": {"", "p", "q"}}
		ReadStep(url.Values{stepKey: {do}}).rearrange(form)
		if got := regexp.MustCompile(`_id=[A-Z0-9]{10}`).ReplaceAllString(form.Encode(), "_id=ID"); got != want {
			t.Errorf("%s:\n%s, want\n%s", do, got, want)
		}
	}
}
