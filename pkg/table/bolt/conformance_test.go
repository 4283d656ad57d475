package bolt

import (
	"testing"

	"headless/pkg/table"
	"headless/pkg/table/tabletest"
)

func TestConformance(t *testing.T) {
	tabletest.Run(t, func(t *testing.T) table.Table { return openTest(t) })
}
