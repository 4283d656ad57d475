package mcp

import (
	"context"
	"errors"
	"testing"

	"headless/pkg/web"
)

// TestLargeBatch refuses the calls of a batch after results that have as many bytes as an answer may have.
func TestLargeBatch(t *testing.T) {
	runs := 0
	large := tool{run: func(context.Context, map[string]any) ([]byte, error) {
		runs++
		return make([]byte, web.MaxAnswer/2), nil
	}}
	var s session
	for i := range 4 {
		data, err := s.callTool(t.Context(), large, nil)
		if refused := errors.Is(err, web.ErrAnswerTooLarge); refused != (i > 1) || refused != (data == nil) {
			t.Errorf("call %d: %d bytes, %v", i, len(data), err)
		}
	}
	if runs != 2 {
		t.Errorf("the tool ran %d times", runs)
	}
}
