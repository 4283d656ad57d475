package targets

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"

	"headless/pkg/cms"
	"headless/pkg/db"
	"headless/pkg/hooks/webhook"
	"headless/pkg/input"
	"headless/pkg/table"
)

// The states of a build.
const (
	Requested = "requested" // the address was or will be called
	Building  = "building"
	Ready     = "ready"
	Failed    = "failed"
)

// Build is what is known of a build.
type Build struct {
	ID    string   `json:"id"`
	State string   `json:"state"`
	At    cms.Time `json:"at"` // of the state
	URL   string   `json:"url,omitempty"`
	// Since is when it was asked for or first heard of.
	Since cms.Time `json:"since"`

	Foreign string `json:"-"` // its id at the provider
	version int64
}

// storedBuild adds what answers do not show.
type storedBuild struct {
	Build
	Foreign string `json:"foreign,omitempty"`
}

const (
	buildDays = 30
	// recentBuilds is how many builds are compared with what a provider says.
	recentBuilds = 50
	// KindBuild is the kind of timers that call build addresses. Their ref is <target id>/<build id>.
	KindBuild = "build"
)

// builds reads the latest builds of a target, the newest first.
func (s *Targets) builds(ctx context.Context, target string, limit int) ([]Build, error) {
	rows, err := s.DB.Table.Query(ctx, table.Range{Partition: buildPartition(target), Reverse: true, Limit: limit})
	list := make([]Build, len(rows))
	for i := 0; i < len(rows) && err == nil; i++ {
		var v storedBuild
		err = db.Unmarshal(rows[i].Body, &v)
		list[i] = v.Build
		list[i].Foreign, list[i].version = v.Foreign, rows[i].Version
	}
	return list, err
}

// putBuild stores a build. The commit fails if it changed since it was read.
func (s *Targets) putBuild(tx *db.Tx, target string, b Build) {
	item := table.Item{Key: buildKey(target, b.ID),
		Body: db.MustMarshal(storedBuild{b, b.Foreign}), Expires: tx.At().AddDate(0, 0, buildDays).Unix()}
	tx.Save(item, b.version)
}

// Start asks for a build; a timer calls the address. NOT_FOUND if there is no such target.
func (s *Targets) Start(ctx context.Context, actor cms.Actor, id string) (Build, error) {
	d, err := docs(s.DB).Get(ctx, id)
	if err != nil {
		return Build{}, input.NotFound(err, "target")
	}
	tx := s.DB.Begin()
	b := Build{ID: uuid.Must(uuid.NewV7()).String(), State: Requested, At: tx.At(), Since: tx.At()}
	s.putBuild(tx, id, b)
	tx.SetTimer(db.Timer{At: tx.At(), Kind: KindBuild, Ref: id + "/" + b.ID})
	tx.Activity(actor, "target.build", "target "+d.Value.Name, id)
	return b, s.DB.Commit(ctx, tx)
}

// Work is the handler of timers of the kind KindBuild: it calls the build address of a target.
func (s *Targets) Work(ctx context.Context, ref string) (nextRun cms.Time, err error) {
	target, id, _ := strings.Cut(ref, "/")
	d, err := docs(s.DB).Get(ctx, target)
	if err != nil {
		return cms.Time{}, db.Missing(err, nil)
	}
	address, err := s.DB.UnsealText(d.Value.BuildURL)
	if err != nil {
		return cms.Time{}, err
	}
	plain, token := bearer(address)
	header := http.Header{"Content-Type": {"application/json"}, "User-Agent": {webhook.UserAgent}}
	if token != "" {
		header.Set("Authorization", "Bearer "+token)
	}
	result := s.Client.Post(ctx, webhook.Request{URL: plain, Header: header,
		Body: []byte(`{"event_type":"publish"}`)})
	if result.OK() {
		return cms.Time{}, nil
	}
	return cms.Time{}, s.changeBuild(ctx, target, func(builds []Build) int {
		return slices.IndexFunc(builds, func(b Build) bool { return b.ID == id && b.State == Requested })
	}, Build{State: Failed})
}

// bearer takes the user of an address away, which is sent as a bearer token, as GitHub asks for one.
func bearer(address string) (plain, token string) {
	u, err := url.Parse(address)
	if err != nil || u.User == nil {
		return address, ""
	}
	token = u.User.Username()
	u.User = nil
	return u.String(), token
}

// changeBuild gives a build of the latest ones a state; find returns its index. Without one, -1, it does nothing
// unless the state names a build of the provider, which is then a new one.
func (s *Targets) changeBuild(ctx context.Context, target string, find func([]Build) int, to Build) error {
	return s.DB.Retry(ctx, func() error {
		builds, err := s.builds(ctx, target, recentBuilds)
		if err != nil {
			return err
		}
		tx := s.DB.Begin()
		if i := find(builds); i >= 0 {
			b := builds[i]
			if b.State == Ready || b.State == Failed && to.State == Building {
				return nil // it is over
			}
			b.State, b.At, b.Foreign = to.State, tx.At(), to.Foreign
			if to.URL != "" {
				b.URL = to.URL
			}
			s.putBuild(tx, target, b)
			return s.DB.Commit(ctx, tx)
		}
		if to.Foreign == "" {
			return nil
		}
		to.ID, to.At, to.Since = uuid.Must(uuid.NewV7()).String(), tx.At(), tx.At()
		s.putBuild(tx, target, to)
		return s.DB.Commit(ctx, tx)
	})
}

// meant returns the index of the build that a provider speaks of by its id: the one that has the id, else the
// oldest that was asked for and has none, since providers build in the order of the calls. -1 if there is none.
func meant(builds []Build, foreign string) int {
	for i := range builds {
		if foreign != "" && builds[i].Foreign == foreign {
			return i
		}
	}
	for i, b := range slices.Backward(builds) {
		if b.Foreign == "" && (b.State == Requested || b.State == Building) {
			return i
		}
	}
	return -1
}

var errSignature = cms.Errorf(cms.CodeUnauthorized, "This is not signed by the provider of a target.")

// Take stores the state of a build that a provider sends. Error: UNAUTHORIZED for what is not signed, or
// names no target.
func (s *Targets) Take(ctx context.Context, id string, header http.Header, body []byte) error {
	d, err := docs(s.DB).Get(ctx, id)
	if err != nil {
		return db.Missing(err, errSignature)
	}
	secret, err := s.DB.UnsealText(d.Value.Key)
	if err != nil {
		return err
	}
	p := providers[d.Value.Provider]
	if !p.signed(header, body, secret) {
		return errSignature
	}
	b, ok := p.state(header, body)
	if !ok {
		return nil // another event
	}
	return s.changeBuild(ctx, id, func(builds []Build) int { return meant(builds, b.Foreign) }, b)
}
