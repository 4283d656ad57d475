package main

import (
	"encoding/json"
	"fmt"
	"log/slog"

	"headless/pkg/db"
	"headless/pkg/health"
	"headless/pkg/jobs"
	"headless/pkg/recheck"
)

// foundEvery is how many entries there are for each one with a finding.
const foundEvery = 50

// findings measures content health where one of foundEvery entries has a broken link.
func (p *publishing) findings() error {
	checks := health.Checks{Store: p.entries.Store}
	timers := &jobs.Timers{Store: p.st.DB, Log: slog.New(slog.DiscardHandler),
		Together: map[string]jobs.TogetherHandler{recheck.Kind: checks.Work}}
	check := func() error {
		for {
			if n, err := timers.Due(p.ctx); err != nil || n == 0 {
				return err
			}
		}
	}
	change := func(i int, body string) error {
		got, err := p.contentBench.askHandler(p.api, request{"read", "GET", fmt.Sprintf("/%s/article-%d", model, i), "", 200})
		if err != nil {
			return err
		}
		id, err := idIn(got.Body.Bytes())
		if err != nil {
			return err
		}
		data, err := json.Marshal(map[string]any{"data": map[string]any{"body": body}})
		if err != nil {
			return err
		}
		_, err = p.contentBench.askHandler(p.api, request{"change", "PUT", "/" + model + "/" + id, string(data), 200})
		return err
	}
	for i := 0; i < p.n; i += foundEvery {
		if err := change(i, "[gone](cms://entry/0190a000-0000-7000-8000-000000000002)"); err != nil {
			return err
		}
	}
	if err := check(); err != nil {
		return err
	}
	if err := p.entries.MergeTotals(p.ctx); err != nil {
		return err
	}
	p.measure("findings, counts by kind, 300 models", 1, func() error {
		counts, err := checks.Counts(p.ctx)
		if want := (p.n + foundEvery - 1) / foundEvery; err == nil && counts[health.LinkGone] != want {
			err = fmt.Errorf("%d broken links, want %d", counts[health.LinkGone], want)
		}
		return err
	})
	p.measure("findings, page of 25, 300 models", 1, func() error {
		_, err := checks.List(p.ctx, health.Filter{Kinds: []health.Kind{health.LinkGone}},
			db.Paging{Page: 1, PerPage: 25}, "")
		return err
	})
	if err := change(0, "repaired"); err != nil {
		return err
	}
	p.measure("behind a change, its findings", 1, check)
	return nil
}
