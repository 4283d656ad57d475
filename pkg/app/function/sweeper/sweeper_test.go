package sweeper

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"go.yaml.in/yaml/v3"

	"headless/pkg/must"
)

// TestScheduleRepeatsPurgesEachMinute calls the function as the template's schedules do. Only the
// sweep every five minutes repeated failed purges once, so the site stayed stale for that long.
func TestScheduleRepeatsPurgesEachMinute(t *testing.T) {
	text, err := os.ReadFile("../../../../template.yaml")
	must.Do(t, err)
	var template struct {
		Resources struct {
			SweeperFunction struct {
				Properties struct {
					Events map[string]struct {
						Properties struct {
							Schedule string `yaml:"Schedule"`
							Input    string `yaml:"Input"`
						} `yaml:"Properties"`
					} `yaml:"Events"`
				} `yaml:"Properties"`
			} `yaml:"SweeperFunction"`
		} `yaml:"Resources"`
	}
	must.Do(t, yaml.Unmarshal(text, &template))
	refused := errors.New("refused")
	seen := map[string][]string{}
	for _, s := range template.Resources.SweeperFunction.Properties.Events {
		var e event
		if input := s.Properties.Input; input != "" {
			must.Do(t, json.Unmarshal([]byte(input), &e))
		}
		var parts []string
		part := func(name string, err error) func(context.Context) error {
			return func(context.Context) error {
				parts = append(parts, name)
				return err
			}
		}
		h := handler{ready: part("ready", nil), clock: part("clock", nil), purges: part("purges", refused),
			sweep: part("sweep", nil)}
		if err := h.invoke(t.Context(), e); !errors.Is(err, refused) {
			t.Errorf("%s: the failure is not seen: %v", s.Properties.Schedule, err)
		}
		seen[s.Properties.Schedule] = parts
	}
	for schedule, want := range map[string]int{"rate(1 minute)": 3, "rate(5 minutes)": 4} {
		if got := seen[schedule]; len(got) != want || got[1] != "purges" || got[2] != "clock" {
			t.Errorf("%s runs %v", schedule, got)
		}
	}
}
