package say

import "text/template/parse"

// Messages returns the messages in a template.
func Messages(t *parse.Tree) (found []string) {
	w := walker{tree: t, translate: func(key string) string { found = append(found, key); return "" }}
	w.list(t.Root.Nodes)
	return found
}

// InScriptMessage is a message that a script marks; One is "" unless it counts.
type InScriptMessage struct{ One, Other string }

// InScript returns the messages of a script.
func InScript(script []byte) (found []InScriptMessage) {
	for _, m := range marked().FindAllSubmatch(script, -1) {
		found = append(found, InScriptMessage{Other: unquoteJSON(m[1])})
	}
	for _, m := range counted().FindAllSubmatch(script, -1) {
		found = append(found, InScriptMessage{One: unquoteJSON(m[2]), Other: unquoteJSON(m[3])})
	}
	return found
}
