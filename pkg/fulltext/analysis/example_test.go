package analysis_test

import (
	"fmt"

	"headless/pkg/fulltext/analysis"
)

// Words of a query match in any form and order; those in quotation marks match as they stand.
func ExampleQuery_Matches() {
	text := analysis.Text{
		Title:  "Deploying to production",
		Fields: []string{"Build the functions, then deploy the stack."},
	}
	document := analysis.Analyze(text, "en")
	one := func(analysis.QueryTerm) int64 { return 1 }
	for _, typed := range []string{"stacks deployed", `"deploy the stack"`, `"stack deploy"`, "rollback"} {
		query := analysis.ParseQuery(typed, "en")
		_, ok := query.Matches(document, 1, one)
		fmt.Println(typed, ok && query.Holds(text, "en"))
	}
	// Output:
	// stacks deployed true
	// "deploy the stack" true
	// "stack deploy" false
	// rollback false
}

// An excerpt shows the first word that matches, with the words around it.
func ExampleExcerpt() {
	query := analysis.ParseQuery("queues", "en")
	fmt.Println(analysis.Excerpt("Events go onto a queue, and a worker sends them.", "en", query))
	// Output: Events go onto a queue, and a worker sends them.
}
