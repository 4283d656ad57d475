package table

import "context"

// WriteInSteps is WriteAfter by calls of the other methods, for tables that have nothing better.
func WriteInSteps(ctx context.Context, t Table, stages [][]Item, ops []Op) error {
	for _, stage := range stages {
		if len(stage) == 0 {
			continue
		}
		if err := t.BatchWrite(ctx, stage, nil); err != nil {
			return err
		}
	}
	return t.Write(ctx, ops)
}
