package bolt

import (
	"testing"

	"headless/pkg/table"
	"headless/pkg/table/tabletest"
)

func TestConformance(t *testing.T) {
	tabletest.Run(t, func(t *testing.T) table.Table { return openTest(t) })
}

// TestConformanceFlushed has every commit put into the file at once.
func TestConformanceFlushed(t *testing.T) {
	tabletest.Run(t, func(t *testing.T) table.Table { return openTest(t, flushingFrom(1)) })
}
