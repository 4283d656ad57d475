package ui

import "testing"

func TestWords(t *testing.T) {
	for key, want := range map[string]string{"entry.draft_saved": "Entry draft saved", "preview_url": "Preview URL",
		"": ""} {
		if got := Words(key); got != want {
			t.Errorf("%q: %q, want %q", key, got, want)
		}
	}
}
