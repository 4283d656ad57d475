package cms

import (
	"encoding/json"
	"strconv"
)

// Notice is a mail to a user. It is written in the user's language when it is sent.
type Notice struct {
	Subject    Phrase   `json:"subject"`
	Paragraphs []Phrase `json:"paragraphs"`
	// Text is the whole text of a notice that a former version stored.
	Text string `json:"text,omitempty"`
	// Optional reports whether users may switch mails like this one off.
	Optional bool `json:"optional,omitempty"`
	// Language is the language of the mail, that of the user's account; "" for that of the site.
	Language string `json:"language,omitempty"`
}

// Phrase is a message in English, which is translated when its reader is known. The placeholders {1}, {2} and so on
// stand for Args. If One is set, it is the message for the number 1, and the first argument is the number.
type Phrase struct {
	Text string   `json:"text"`
	One  string   `json:"one,omitempty"`
	Args []string `json:"args,omitempty"`
	// IsTimed reports whether the last argument is a time in RFC 3339, or a day like 2026-01-31. The others are data,
	// such as a title, which may look like a day.
	IsTimed bool `json:"timed,omitempty"`
}

// Phrased returns a phrase. A test wants text to be a constant that the catalogues of the admin area
// translate.
func Phrased(text string, args ...string) Phrase { return Phrase{Text: text, Args: args} }

// Timed returns a phrase whose last argument is a time or a day.
func (p Phrase) Timed() Phrase {
	p.IsTimed = true
	return p
}

// Counted returns a phrase with a number, which is {1}; args are {2} and so on. A test treats its messages like those
// of Phrased.
func Counted(n int, one, other string, args ...string) Phrase {
	return Phrase{Text: other, One: one, Args: append([]string{strconv.Itoa(n)}, args...)}
}

// UnmarshalJSON also reads a string, which a former version stored for a phrase.
func (p *Phrase) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		*p = Phrase{}
		return json.Unmarshal(raw, &p.Text)
	}
	type stored Phrase
	return json.Unmarshal(raw, (*stored)(p))
}
