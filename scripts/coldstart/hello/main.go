// Command hello is a function that does nothing. It shows what starting a function costs without
// any of our code.
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
