package dynamo

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"headless/pkg/table"
)

const (
	maxAttempts  = 6  // while DynamoDB throttles or is unavailable
	maxConflicts = 20 // while other transactions lock the same items
)

// outcome is the state after a failed call.
type outcome int

const (
	final    outcome = iota // a retry does not help
	conflict                // not applied, since another transaction has locked an item
	refused                 // not applied, since DynamoDB is busy
	unsure                  // the response was lost: the call may have been applied
)

func outcomeOf(err error) outcome {
	if canceled, ok := errors.AsType[*types.TransactionCanceledException](err); ok {
		return canceledOutcome(canceled)
	}
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		switch code := api.ErrorCode(); {
		case code == "TransactionConflictException", code == "TransactionInProgressException",
			code == "ReplicatedWriteConflictException":
			return conflict
		case isThrottle(code):
			return refused
		}
		var response *smithyhttp.ResponseError
		if api.ErrorFault() == smithy.FaultServer || errors.As(err, &response) &&
			response.HTTPStatusCode() >= 500 {
			return unsure
		}
		return final
	}
	var (
		send   *smithyhttp.RequestSendError
		decode *smithy.DeserializationError
	)
	if errors.As(err, &send) || errors.As(err, &decode) {
		return unsure
	}
	return final
}

func isThrottle(code string) bool {
	_, ok := retry.DefaultThrottleErrorCodes[code]
	return ok
}

func canceledOutcome(canceled *types.TransactionCanceledException) outcome {
	result := final
	for _, reason := range canceled.CancellationReasons {
		switch aws.ToString(reason.Code) {
		case "TransactionConflict":
			return conflict
		case "ThrottlingError", "ProvisionedThroughputExceeded":
			result = refused
		}
	}
	return result
}

// retry repeats the call as long as that may help. It returns the errors of the port where there is
// one.
func (t *Table) retry(ctx context.Context, call func() error) error {
	conflicts := 0
	for attempt := 0; ; attempt++ {
		err := call()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		kind := outcomeOf(err)
		if kind == conflict {
			conflicts++
		}
		switch {
		case kind == final:
			return portError(err)
		case conflicts >= maxConflicts || attempt-conflicts >= maxAttempts-1:
			return fmt.Errorf("%w: dynamo: %w", table.ErrUnavailable, err)
		}
		if err := t.sleep(ctx, attempt); err != nil {
			return err
		}
	}
}

func portError(err error) error {
	if api, ok := errors.AsType[smithy.APIError](err); ok && api.ErrorCode() == "ValidationException" &&
		isSizeMessage(api.ErrorMessage()) {
		return fmt.Errorf("%w: %w", table.ErrTooLarge, err)
	}
	return err
}

// isSizeMessage recognizes the messages "Item size has exceeded the maximum allowed size", "Item
// size to update has exceeded…" and similar ones; DynamoDB has no error code for them.
func isSizeMessage(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "size") && strings.Contains(text, "exceed")
}
