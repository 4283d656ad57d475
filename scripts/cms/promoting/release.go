package promoting

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"reflect"
	"strings"
	"time"

	"headless/scripts/cms/client"
	"headless/scripts/cms/command"
	"headless/scripts/cms/importing"
)

// release is a release as a service returns it.
type release struct {
	ID        string           `json:"id"`
	Name      string           `json:"name"`
	Status    string           `json:"status"`
	PublishAt *time.Time       `json:"publish_at"`
	Items     []releaseItem    `json:"items"`
	Problems  []releaseProblem `json:"problems"`
}

type releaseItem struct {
	Model  string `json:"model"`
	ID     string `json:"id"`
	Action string `json:"action"` // publish or unpublish
}

// releaseProblem says why an item could not be published.
type releaseProblem struct {
	item  releaseItem
	cause client.Error
}

func (p *releaseProblem) UnmarshalJSON(raw []byte) error {
	return errors.Join(json.Unmarshal(raw, &p.item), json.Unmarshal(raw, &p.cause))
}

// promoted is the report of the promotion of a release.
type promoted struct {
	importing.Report
	Release string `json:"release"` // its id on the other service
	Status  string `json:"status"`
}

// promoteRelease copies the entries of a release, with what they refer to, and creates the release
// on the other service. Each step can be repeated.
func promoteRelease(from, to *client.Client, dir string, o options) error {
	source, err := findRelease(from, func(r release) bool { return r.ID == o.release || r.Name == o.release })
	if err != nil {
		return err
	}
	if source == nil {
		return fmt.Errorf("there is no release %q", o.release)
	}
	closure, err := newReleaseCopy(from, to, source.Status == "published")
	if err != nil {
		return err
	}
	var report promoted
	items, err := closure.items(source.Items)
	if err != nil {
		return err
	}
	if err := closure.write(dir); err != nil {
		return err
	}
	if err := importing.Into(to, dir, importing.Options{OnConflict: importing.ConflictSkip}, &report.Report); err != nil {
		return err
	}
	if err := report.Err(); err != nil {
		return fmt.Errorf("the release was not made: %w", err)
	}
	changed, err := closure.putDrafts(&report.Report)
	if err != nil {
		return err
	}
	target, err := makeRelease(to, *source, items, changed || report.Created > 0, o.publish)
	if err != nil {
		return err
	}
	if o.publish {
		if target, err = publishRelease(to, target); err != nil {
			return err
		}
	}
	report.Release, report.Status = target.ID, target.Status
	if o.asJSON {
		return json.NewEncoder(command.Stdout).Encode(report)
	}
	report.Print()
	fmt.Fprintf(os.Stderr, "release %s: %s\n", target.Name, target.Status)
	return nil
}

// findRelease returns the newest release that matches, nil if there is none. It prefers releases
// that are not published yet.
func findRelease(c *client.Client, matches func(release) bool) (found *release, err error) {
	err = client.Each(c, "/admin/releases", url.Values{}, func(r release) error {
		if matches(r) && (found == nil || found.Status == "published" && r.Status != "published") {
			found = &r
		}
		return nil
	})
	return found, err
}

// makeRelease creates the release on the other service, or changes the one that an earlier
// promotion created. A release that was published there stays unchanged if nothing is new.
func makeRelease(to *client.Client, source release, items []releaseItem, changed, publish bool) (*release, error) {
	body := map[string]any{"name": source.Name, "items": items}
	if at := source.PublishAt; at != nil && at.After(time.Now()) && !publish {
		body["publish_at"] = at
	}
	there, err := findRelease(to, func(r release) bool { return r.Name == source.Name })
	if err != nil {
		return nil, err
	}
	var made release
	switch {
	case there == nil || there.Status == "published" && (changed || !reflect.DeepEqual(there.Items, items)):
		err = to.JSON(http.MethodPost, "/admin/releases", body, &made)
	case there.Status == "published" || there.Status == "publishing":
		return there, nil
	default:
		err = to.JSON(http.MethodPut, "/admin/releases/"+there.ID, body, &made)
	}
	return &made, err
}

// How long a release may take to be published, and how often its state is asked for.
const (
	publishWait = 30 * time.Minute
	publishTick = 500 * time.Millisecond
)

// publishRelease publishes a release and waits until it is published or has failed.
func publishRelease(to *client.Client, r *release) (*release, error) {
	path := "/admin/releases/" + r.ID
	if r.Status != "published" && r.Status != "publishing" {
		if err := to.JSON(http.MethodPost, path+"/publish", nil, nil); err != nil {
			return nil, err
		}
	}
	for deadline := time.Now().Add(publishWait); ; time.Sleep(publishTick) {
		var now release
		if err := to.JSON(http.MethodGet, path, nil, &now); err != nil {
			return nil, err
		}
		switch {
		case now.Status == "published":
			return &now, nil
		case now.Status == "failed" || len(now.Problems) > 0 && now.Status == "open":
			return nil, now.failure()
		case time.Now().After(deadline):
			return nil, errors.New("the release is still being published on the other service")
		}
	}
}

// failure returns an error with the problems of the release.
func (r *release) failure() error {
	text := "the release was not published:"
	for _, p := range r.Problems {
		text += fmt.Sprintf("\n  %s %s: %s", p.item.Model, p.item.ID, strings.ReplaceAll(p.cause.Error(), "\n", "\n  "))
	}
	return errors.New(text)
}
