// Command hello is the smallest function there is: what starting a function costs without any of
// ours in it.
package main

import (
	"context"

	"github.com/aws/aws-lambda-go/lambda"
)

func main() {
	lambda.Start(func(context.Context) (map[string]any, error) {
		return map[string]any{"statusCode": 200, "body": "hello"}, nil
	})
}
