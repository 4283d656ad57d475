package ui

import "testing"

func TestSizeText(t *testing.T) {
	for size, want := range map[int64]string{0: "0 B", 413: "413 B", 1536: "1.5 KB", 512 << 20: "512 MB",
		3 << 40: "3072 GB"} {
		if got := SizeText(size); got != want {
			t.Errorf("%d: %q, want %q", size, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for key, want := range map[string]string{"entry.draft_saved": "Entry draft saved", "preview_url": "Preview URL",
		"": ""} {
		if got := Words(key); got != want {
			t.Errorf("%q: %q, want %q", key, got, want)
		}
	}
}
