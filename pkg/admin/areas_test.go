package admin

import (
	"testing"

	"headless/pkg/admin/frame"
	"headless/pkg/assets"
	"headless/pkg/forms"
	"headless/pkg/hooks"
	"headless/pkg/rooms"
)

// TestEveryRouteHasAnArea fails for a route of which nobody has said how far roles that are not
// built in get with it.
func TestEveryRouteHasAnArea(t *testing.T) {
	a := &frame.Admin{}
	on := NewServices(&rooms.Stores{}, nil, &assets.Media{}, &forms.Submissions{}, &hooks.Deliveries{})
	routes := append(on.routes(), a.OwnRoutes()...)
	if len(routes) < 50 {
		t.Fatalf("only %d routes", len(routes))
	}
	for _, r := range routes {
		if _, ok := frame.Areas[frame.SegmentOf(r.Pattern)]; !ok {
			t.Errorf("%s %s: its first segment is not in areas", r.Method, r.Pattern)
		}
	}
}
