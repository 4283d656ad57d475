package kit

import (
	"net/http"
	"testing"
)

// HookSecret signs the deliveries of subscriptions.
const HookSecret = "a given secret of enough length"

// Subscribe makes a subscription by the admin routes and returns its id.
func (s *Suite) Subscribe(t *testing.T, definition Obj) string {
	t.Helper()
	body := Merge(Obj{"name": Unique("hook"), "events": List{"entry.*"}, "secret": HookSecret}, definition)
	id := s.Admin(t).Post(t, "/webhooks", body).Str(t, "data.id")
	t.Cleanup(func() { s.Unsubscribe(t, id) })
	return id
}

// Unsubscribe deletes a subscription, so that a later run on the same store does not deliver to a
// receiver that is gone.
func (s *Suite) Unsubscribe(t *testing.T, id string) {
	req, err := http.NewRequest(http.MethodDelete, s.Target.BaseURL+AdminBase+"/webhooks/"+id, nil)
	if err != nil {
		t.Error(err)
		return
	}
	req.Header.Set("Authorization", "Bearer "+s.token)
	req.Header.Set("Accept", "application/json")
	resp, err := s.HTTP.Do(req)
	if err != nil {
		t.Error(err)
		return
	}
	resp.Body.Close()
}

// About keeps the deliveries whose data has the value at the path.
func About(ds []Delivery, path, value string) (out []Delivery) {
	for _, d := range ds {
		if Str(Dig(d.Body, "data."+path)) == value {
			out = append(out, d)
		}
	}
	return out
}

// WaitAbout waits for a delivery of an event whose data has the value at the path, and checks it.
func (s *Suite) WaitAbout(t *testing.T, r *Receiver, event, path, value string) Delivery {
	t.Helper()
	s.Eventually(t, event+" about "+value, func() bool { return len(About(r.All(event), path, value)) > 0 })
	d := About(r.All(event), path, value)[0]
	d.Check(t, s, HookSecret)
	return d
}
