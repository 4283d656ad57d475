package access_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"headless/pkg/access"
	"headless/pkg/cms"
	"headless/pkg/must"
	"headless/pkg/rooms"
	"headless/pkg/table"
)

// atOnce runs do several times at once, and returns how many calls had each code, "" without an error.
func atOnce(do func(i int) error) map[cms.Code]int {
	codes := make([]cms.Code, 5)
	var all sync.WaitGroup
	for i := range codes {
		all.Go(func() { codes[i] = cms.CodeOf(do(i)) })
	}
	all.Wait()
	counts := map[cms.Code]int{}
	for _, code := range codes {
		counts[code]++
	}
	return counts
}

// TestOwnPasswordAtOnce: of several new passwords at once one is set. The others were proven by a
// password that is not the current one any more; they used to wait and be SERVICE_UNAVAILABLE.
func TestOwnPasswordAtOnce(t *testing.T) {
	s, user, first, _ := signedIn(t)
	got := atOnce(func(i int) error {
		_, err := s.UpdateProfile(t.Context(), cms.Actor{UserID: user.ID}, first.Token, user,
			map[string]any{"password": password + string(rune('a'+i)), "current_password": password}, nil)
		return err
	})
	if got[""] != 1 || got[cms.CodeValidationFailed] != 4 {
		t.Errorf("new passwords at once: %v", got)
	}
}

// TestEndedMeanwhile: a session that ended while its user's new password was hashed sets none.
func TestEndedMeanwhile(t *testing.T) {
	s, user, first, second := signedIn(t)
	checks := 0
	ended := func(cms.User) error {
		if checks++; checks > 1 {
			return nil
		}
		return s.EndOthers(t.Context(), cms.Actor{}, second.Token)
	}
	_, err := s.UpdateProfile(t.Context(), cms.Actor{UserID: user.ID}, first.Token, user,
		map[string]any{"password": password + " 2", "current_password": password}, ended)
	if cms.CodeOf(err) != cms.CodeUnauthorized {
		t.Errorf("a session that has ended: %v", err)
	}
	if _, err := signIn(t.Context(), s, password); err != nil {
		t.Error(err)
	}
}

// interrupted is a table that does something right after it has read a session, once.
type interrupted struct {
	table.Table
	then func()
}

func (i *interrupted) Get(ctx context.Context, how table.Consistency, keys ...table.Key) ([]*table.Item, error) {
	items, err := i.Table.Get(ctx, how, keys...)
	if then := i.then; then != nil && strings.HasPrefix(keys[0].Partition, "SESSION#") {
		i.then = nil
		then()
	}
	return items, err
}

// TestKeptMeanwhile: a change that ends the other sessions used to refuse requests of the session that
// it keeps, if it came between the reads of the session and its user.
func TestKeptMeanwhile(t *testing.T) {
	s, _, first, _ := signedIn(t)
	slow := &interrupted{s.Store.Table, func() {
		if err := s.EndOthers(t.Context(), cms.Actor{}, first.Token); err != nil {
			t.Error(err)
		}
	}}
	reader := access.Sessions{Store: rooms.New(slow, time.Now).Access}
	if _, err := reader.Identify(t.Context(), first.Token); err != nil {
		t.Error(err)
	}
	if slow.then != nil {
		t.Error("nothing came between")
	}
}

// TestEndSessionAtOnce: a session ends once, with one record.
func TestEndSessionAtOnce(t *testing.T) {
	s, user, first, second := signedIn(t)
	who, err := s.Identify(t.Context(), second.Token)
	must.Do(t, err)
	for name, end := range map[string]func(int) error{
		"by its id":  func(int) error { return s.End(t.Context(), cms.Actor{}, user.ID, who.Session.ID) },
		"signed out": func(int) error { return s.SignOut(t.Context(), cms.Actor{}, first.Token) },
	} {
		before := strings.Count(events(t, s), "session.ended")
		if got := atOnce(end); got[""] != 1 || got[cms.CodeNotFound] != 4 {
			t.Errorf("%s: %v", name, got)
		}
		if n := strings.Count(events(t, s), "session.ended") - before; n != 1 {
			t.Errorf("%s: %d records", name, n)
		}
	}
}
