package embedded

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"headless/pkg/app"
	"headless/pkg/db"
	"headless/pkg/db/logs"
	"headless/pkg/rooms"
	"headless/pkg/seal"
	"headless/pkg/table"
	"headless/pkg/table/bolt"
	"headless/pkg/table/journal"
	"headless/pkg/table/split"
)

// openStores opens the data folder, and creates it at the first start.
func openStores(cfg app.Config, log *slog.Logger) (*rooms.Stores, error) {
	if err := os.MkdirAll(cfg.DataDir, 0o700); err != nil {
		return nil, err
	}
	tables, err := openTables(cfg.DataDir, log)
	if err != nil {
		return nil, err
	}
	st := rooms.New(tables, time.Now)
	st.ActivityDays = cfg.ActivityDays
	// The files are locked, so no lease of an earlier process counts. Leases have milliseconds.
	st.AloneSince = time.Now().Truncate(time.Millisecond)
	return st, nil
}

// openKeys seals secrets with the keys of the key file in the data folder.
func openKeys(cfg app.Config, st *rooms.Stores) *seal.Keys {
	keys := seal.NewKeys(seal.File(filepath.Join(cfg.DataDir, "secrets.key")), time.Now)
	st.UseSealer(keys)
	return keys
}

// openTables opens the files of the data folder. The request log has files of its own, since it
// grows with every request.
func openTables(dir string, log *slog.Logger) (table.Table, error) {
	main, err := bolt.Open(filepath.Join(dir, "table.db"), bolt.WithProgress(func(percent int) {
		log.Info("the data folder is converted; this happens once, and may be interrupted", "percent", percent)
	}))
	if err != nil {
		return nil, err
	}
	requests, err := journal.Open(filepath.Join(dir, "requests"), time.Now)
	if err == nil {
		err = moveRequests(filepath.Join(dir, "requests.db"), requests)
	}
	if err != nil {
		return nil, errors.Join(err, main.Close())
	}
	return split.New(main, requests, db.RequestLogPrefix), nil
}

// moveRequests moves the request log of an earlier version, which was a table. If the process is
// killed meanwhile, the next one does it again: lines that were copied twice are listed once.
func moveRequests(path string, to table.Table) error {
	const atOnce = 5000
	if _, err := os.Stat(path); err != nil {
		return nil // there is none
	}
	from, err := bolt.Open(path)
	if err != nil {
		return err
	}
	ctx := context.Background()
	for _, partition := range logs.RequestPartitions(time.Now()) {
		lines, next := make([]table.Item, atOnce), ""
		for len(lines) == atOnce {
			lines, err = from.Query(ctx, table.Range{Partition: partition, From: next, Limit: atOnce})
			if err == nil && len(lines) > 0 {
				next = lines[len(lines)-1].Sort + "\x00"
				err = to.BatchWrite(ctx, lines, nil)
			}
			if err != nil {
				return errors.Join(err, from.Close())
			}
		}
	}
	if err := from.Close(); err != nil {
		return err
	}
	files, err := filepath.Glob(path + ".log-*")
	for _, file := range append(files, path) {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

const (
	collectAt   = 400       // percent of heap growth before a garbage collection
	memoryLimit = 160 << 20 // bytes above which it is collected sooner
)

// tuneMemory lets the heap of a small server grow more before it is collected, which gives a third
// to a half more requests per second for about 50 MB. Large answers, texts and pictures are soon
// garbage, so the limit bounds the memory of many at once. It costs creates nothing that can be
// measured. GOGC and GOMEMLIMIT in the environment have precedence.
func tuneMemory() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryLimit)
	}
}
