// Command import loads JSON lines into the service through its public API, and reads them back.
//
//	go run ./scripts/import -file pages.jsonl.gz -model pages -setup     make locales, model and a key as needed, then load
//	go run ./scripts/import -file pages.jsonl.gz -model pages            load with the key in API_KEY and API_SECRET
//	go run ./scripts/import -file pages.jsonl.gz -model pages -verify    load nothing: read all back and compare
//
// Every line is an object. Its keys locale, slug, title and status go to those of the entry,
// description to seo.description, the rest into data under the same name; -map changes that.
// Entries are known by locale and slug, so a run that was cut short is simply started again: what
// is there already and equal is left alone. The limit of the key and 503 are waited out as the
// answers say. For -setup, ADMIN_EMAIL and ADMIN_PASSWORD sign in a user of the admin area.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

// options are the command line and variables of the environment.
type options struct {
	file, url, model, status string
	key, secret              string
	email, password          string
	parallel                 int
	setup, verify, update    bool
	mapping                  mapping
}

func main() {
	o := options{
		key: os.Getenv("API_KEY"), secret: os.Getenv("API_SECRET"),
		email: cmp.Or(os.Getenv("ADMIN_EMAIL"), "admin@example.com"), password: os.Getenv("ADMIN_PASSWORD"),
		mapping: mapping{},
	}
	flag.StringVar(&o.file, "file", "", "JSON lines, gzip or not")
	flag.StringVar(&o.url, "url", "http://localhost:3000", "root URL of the service")
	flag.StringVar(&o.model, "model", "", "slug of the model")
	flag.StringVar(&o.status, "status", "published", "status of records that have none")
	flag.IntVar(&o.parallel, "parallel", 8, "requests at a time")
	flag.BoolVar(&o.setup, "setup", false,
		"make missing locales, the model with fields by the values, and a key for this run")
	flag.BoolVar(&o.verify, "verify", false, "load nothing; read every record back and compare")
	flag.BoolVar(&o.update, "update", false, "change entries that differ from their record")
	flag.Func("map",
		"where keys go, as from=to,… with to one of locale, slug, title, status, seo.title, "+
			"seo.description, data.<name> and - (left out)",
		o.mapping.set)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, o, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "import:", err)
		os.Exit(1)
	}
}

// run loads or verifies. It also returns an error if a record failed.
func run(ctx context.Context, o options, out io.Writer) (err error) {
	if o.file == "" || o.model == "" {
		return errors.New("-file and -model are required")
	}
	o.url = strings.TrimSuffix(o.url, "/")
	c := newClient(o.url+"/api/v1", o.parallel)
	if o.setup {
		s, err := setUp(ctx, o, out)
		if err != nil {
			return fmt.Errorf("setting up: %w", err)
		}
		defer func() { err = errors.Join(err, s.close(context.WithoutCancel(ctx))) }()
		o.key, o.secret = s.key, s.secret
	}
	if o.key == "" || o.secret == "" {
		return errors.New("set API_KEY and API_SECRET, or use -setup")
	}
	c.header.Set("X-API-Key", o.key)
	c.header.Set("X-API-Secret", o.secret)
	if o.verify {
		return verify(ctx, c, o, out)
	}
	return load(ctx, c, o, out)
}
