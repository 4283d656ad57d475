package main

import (
	"path/filepath"
	"strings"
	"testing"

	"headless/pkg/must"
)

func TestReport(t *testing.T) {
	tests := []struct {
		name, events, shown string
		want                counts
	}{
		{"pass and skip", `
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"noise\n"}
{"Action":"pass","Package":"p","Test":"TestA/sub"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"skip","Package":"p","Test":"TestB"}
{"Action":"output","Package":"p","Output":"PASS\n"}
{"Action":"output","Package":"p","Output":"ok  p 0.1s\n"}
{"Action":"pass","Package":"p"}`, "ok  p 0.1s\n", counts{Passed: 2, Skipped: 1}},
		{"failure shows its output once", `
{"Action":"output","Package":"p","Test":"TestA","Output":"a_test.go:1: wrong\n"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Output":"FAIL p 0.1s\n"}
{"Action":"fail","Package":"p"}`, "a_test.go:1: wrong\nFAIL p 0.1s\n", counts{Failed: 1}},
		{"a package that does not build", `
{"ImportPath":"p","Action":"build-output","Output":"p.go:1: syntax error\n"}
{"ImportPath":"p","Action":"build-fail"}
{"Action":"output","Package":"p","Output":"FAIL p [build failed]\n"}
{"Action":"fail","Package":"p"}`, "p.go:1: syntax error\nFAIL p [build failed]\n", counts{Failed: 1}},
		{"a program that ends while tests run", `
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"p","Test":"TestA","Output":"panic: lost\n"}
{"Action":"output","Package":"q","Test":"TestA","Output":"of another package\n"}
{"Action":"output","Package":"p","Output":"FAIL p 0.1s\n"}
{"Action":"fail","Package":"p"}`, "FAIL p 0.1s\npanic: lost\n", counts{Failed: 1}},
		{"a program that ends after the result of a test", `
{"Action":"output","Package":"p","Test":"TestA","Output":"noise\n"}
{"Action":"output","Package":"p","Test":"TestA","Output":"--- PASS: TestA (0.00s)\n"}
{"Action":"output","Package":"p","Test":"TestA","Output":"panic: test timed out\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Output":"FAIL p 0.1s\n"}
{"Action":"fail","Package":"p"}`, "FAIL p 0.1s\npanic: test timed out\n", counts{Passed: 1, Failed: 1}},
		{"a program that ends after another test failed", `
{"Action":"output","Package":"p","Test":"TestA","Output":"wrong\n"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestB","Output":"panic: lost\n"}
{"Action":"output","Package":"p","Output":"FAIL p 0.1s\n"}
{"Action":"fail","Package":"p"}`, "wrong\nFAIL p 0.1s\npanic: lost\n", counts{Failed: 1}},
		{"what is no event is shown", "go: downloading x\n", "go: downloading x\n", counts{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var shown strings.Builder
			got, err := report(strings.NewReader(strings.TrimPrefix(tt.events, "\n")), &shown)
			if err != nil || got != tt.want || shown.String() != tt.shown {
				t.Errorf("report = %+v, %v showing %q; want %+v showing %q", got, err,
					shown.String(), tt.want, tt.shown)
			}
		})
	}
}

func TestTotals(t *testing.T) {
	file := filepath.Join(t.TempDir(), "totals")
	for _, c := range []counts{{Passed: 3}, {Passed: 1, Failed: 2, Skipped: 1}} {
		must.Do(t, addTotals(file, c))
	}
	var shown strings.Builder
	code, err := run([]string{"-total"}, file, &shown)
	if err != nil || code != 1 || shown.String() != "1 skipped\n4 passed, 2 failed\n" {
		t.Errorf("total = %d, %v, %q", code, err, shown.String())
	}
}
