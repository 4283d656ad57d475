package embedded

import (
	"errors"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"headless/pkg/app"
	"headless/pkg/db"
	"headless/pkg/rooms"
	"headless/pkg/seal"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
	"headless/pkg/table/split"
)

// openStores opens the data folder, and makes it at the first start.
func openStores(cfg app.Config) (*rooms.Stores, error) {
	if err := os.MkdirAll(cfg.DataDir, 0o700); err != nil {
		return nil, err
	}
	tables, err := openTables(cfg.DataDir)
	if err != nil {
		return nil, err
	}
	st := rooms.New(tables, time.Now)
	st.ActivityDays = cfg.ActivityDays
	st.AloneSince = time.Now().Truncate(time.Millisecond) // the files are locked; leases end at milliseconds
	return st, nil
}

// openKeys makes the stores seal secrets with the keys of the key file, beside the data.
func openKeys(cfg app.Config, st *rooms.Stores) *seal.Keys {
	keys := seal.NewKeys(seal.File(filepath.Join(cfg.DataDir, "secrets.key")), time.Now)
	st.UseSealer(keys)
	return keys
}

// openTables opens the files of the data folder: the request log, which grows with every request,
// has one of its own.
func openTables(dir string) (table.Table, error) {
	main, err := bolt.Open(filepath.Join(dir, "table.db"))
	if err != nil {
		return nil, err
	}
	requests, err := bolt.Open(filepath.Join(dir, "requests.db"))
	if err != nil {
		return nil, errors.Join(err, main.Close())
	}
	return split.New(main, requests, db.RequestLogPrefix), nil
}

const (
	collectAt   = 400       // percent that the heap grows by before it is collected
	memoryLimit = 512 << 20 // bytes from which it is collected sooner
)

// tuneMemory lets the heap of a small server grow before it is collected: a third to a half more
// requests a second for about 50 MB. What the environment says goes first.
func tuneMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}
