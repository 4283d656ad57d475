package homepages

import (
	"testing"
	"time"

	"headless/pkg/admin/say"
	"headless/pkg/cms"
	"headless/pkg/hooks"
)

// TestPipelineInWords: a receiver that is down is no fault of ours, an overdue step is.
func TestPipelineInWords(t *testing.T) {
	now := cms.At(time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC))
	ago := func(d time.Duration) cms.Time { return cms.At(now.Add(-d)) }
	for want, p := range map[string]hooks.Pipeline{
		"not checked yet": {},
		"healthy":         {At: now, OldestEvent: ago(time.Minute), OverdueStep: ago(time.Second)},
		"late":            {At: now, OldestEvent: ago(time.Hour)},
		"needs attention": {At: now, OldestEvent: ago(time.Hour), OverdueStep: ago(time.Hour)},
	} {
		if v := newPipelineView(p, now); v.State.Text != say.Text(want) {
			t.Errorf("%+v: %q, want %q", p, v.State.Text, want)
		}
	}
}
