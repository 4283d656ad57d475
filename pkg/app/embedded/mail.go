package embedded

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"time"

	"headless/pkg/admin/say"
	"headless/pkg/app"
	"headless/pkg/blob/disk"
	"headless/pkg/forms"
	"headless/pkg/jobs"
	"headless/pkg/mail"
	"headless/pkg/mail/eml"
	"headless/pkg/queue/memory"
	"headless/pkg/rooms"
	"headless/pkg/spam"
)

const (
	mailWorkers = 8
	mailDrain   = 3 * time.Second
)

// mailing accepts submissions and sends their mails, as files below DATA_DIR/mail.
type mailing struct {
	submissions *forms.Submissions
	notifier    jobs.Notifier
	queue       *memory.Queue
	log         *slog.Logger
	running     sync.WaitGroup
}

func newMailing(cfg app.Config, st *rooms.Stores, log *slog.Logger) (*mailing, error) {
	if _, err := mail.ParseSender(cfg.MailFrom); err != nil {
		return nil, fmt.Errorf("MAIL_FROM: %w", err)
	}
	files, err := disk.Open(filepath.Join(cfg.DataDir, "mail"), disk.Options{})
	if err != nil {
		return nil, err
	}
	q := memory.New(time.Now, memory.Options{PerGroup: mailWorkers, Drain: mailDrain, Logger: log})
	mails := &forms.Mails{Store: st.Forms, Queue: q, Rand: rand.Float64, Log: log}
	return &mailing{
		submissions: &forms.Submissions{Store: st.Forms,
			Recaptcha: spam.Verifier{URL: cfg.RecaptchaVerifyURL}, Log: log},
		notifier: jobs.Notifier{Mails: mails, Sender: eml.New(files, time.Now),
			From: cfg.MailFrom, SiteURL: cfg.SiteURL, Language: say.ForVisitor},
		queue: q, log: log,
	}, nil
}

// startPending requeues the mails that were pending when the process stopped, and sends mails until ctx
// ends. Wait for running afterwards.
func (m *mailing) startPending(ctx context.Context) {
	m.running.Go(func() {
		if err := m.notifier.Mails.Restart(ctx); err != nil {
			m.log.Error("mails: restart", "error", err.Error())
		}
		m.queue.Run(ctx, mailWorkers, m.notifier.Handle)
	})
}
