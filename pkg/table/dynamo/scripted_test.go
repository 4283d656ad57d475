package dynamo_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"headless/pkg/must"
	"headless/pkg/table"
	"headless/pkg/table/dynamo"
)

// reply is an answer of the scripted endpoint; status 0 cuts the connection.
type reply struct {
	status int
	body   string
}

// asked is a request that it saw.
type asked struct {
	operation string
	body      string
}

func failure(code string, more ...string) reply {
	return reply{400, `{"__type":"com.amazonaws.dynamodb.v20120810#` + code + `"` +
		strings.Join(more, "") + `}`}
}

func canceled(codes ...string) reply {
	reasons := make([]map[string]string, len(codes))
	for i, code := range codes {
		reasons[i] = map[string]string{"Code": code}
	}
	list, _ := json.Marshal(reasons) // strings always encode
	return failure("TransactionCanceledException", `,"Message":"canceled","CancellationReasons":`,
		string(list))
}

var (
	done        = reply{200, `{}`}
	cut         = reply{}
	broken      = reply{500, `{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError"}`}
	away        = reply{503, `<html>`}
	throttled   = failure("ThrottlingException")
	provisioned = failure("ProvisionedThroughputExceededException")
	notHeld     = failure("ConditionalCheckFailedException")
	oversized   = failure("ValidationException",
		`,"message":"Item size has exceeded the maximum allowed size"`)
	mistaken   = failure("ValidationException", `,"message":"One or more parameter values were invalid"`)
	notAllowed = failure("AccessDeniedException")
)

// scripted answers requests in order, the last reply over and over. The function that it returns
// gives the requests so far.
func scripted(t *testing.T, replies []reply) (*dynamo.Table, func() []asked) {
	t.Helper()
	var mu sync.Mutex
	var seen []asked
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
		mu.Lock()
		answer := replies[min(len(seen), len(replies)-1)]
		seen = append(seen, asked{operation, string(body)})
		mu.Unlock()
		if answer.status == 0 {
			panic(http.ErrAbortHandler)
		}
		w.Header().Set("Content-Type", "application/x-amz-json-1.0")
		w.WriteHeader(answer.status)
		_, err = io.WriteString(w, answer.body)
		if err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	return dynamo.New(client(server.URL, "test"), "content", dynamo.WithRetryDelay(time.Microsecond),
			dynamo.WithClock(func() time.Time { return time.Unix(1000, 0) })), func() []asked {
			mu.Lock()
			defer mu.Unlock()
			return slices.Clone(seen)
		}
}

var (
	keyA = table.Key{Partition: "p", Sort: "a"}
	keyB = table.Key{Partition: "p", Sort: "b"}
	putA = table.Op{Kind: table.Put, Item: table.Item{Key: keyA, Version: 2, Body: []byte("x")},
		If: table.Absent}
	putB   = table.Op{Kind: table.Put, Item: table.Item{Key: keyB, Version: 2}}
	addB   = table.Op{Kind: table.Add, Item: table.Item{Key: keyB, Count: 3, Expires: 2000}}
	storeA = `{"pk":{"S":"p"},"sk":{"B":"YQ=="},"v":{"N":"2"},"d":{"B":"eA=="}}`
)

func testScripted(t *testing.T) {
	write := func(ops ...table.Op) func(context.Context, *dynamo.Table) error {
		return func(ctx context.Context, tab *dynamo.Table) error { return tab.Write(ctx, ops) }
	}
	get := func(keys ...table.Key) func(context.Context, *dynamo.Table) error {
		return func(ctx context.Context, tab *dynamo.Table) error {
			_, err := tab.Get(ctx, table.Strong, keys...)
			return err
		}
	}
	add := func(ctx context.Context, tab *dynamo.Table) error {
		_, err := tab.Add(ctx, keyA, 1, 10, 2000)
		return err
	}
	batch := func(ctx context.Context, tab *dynamo.Table) error {
		return tab.BatchWrite(ctx, []table.Item{putA.Item, putB.Item}, nil)
	}
	for _, test := range []struct {
		name    string
		call    func(context.Context, *dynamo.Table) error
		replies []reply
		want    error // nil: success; errOther: any that is not of the port
		trips   string
	}{
		{"get one", get(keyA), []reply{done}, nil, "GetItem"},
		{"get throttled", get(keyA), []reply{throttled, provisioned, done}, nil, "GetItem GetItem GetItem"},
		{"get cut off", get(keyA), []reply{cut, away, broken, done}, nil, "GetItem GetItem GetItem GetItem"},
		{"get while away", get(keyA), []reply{away}, table.ErrUnavailable, strings.Repeat("GetItem ", 6)},
		{"get while throttled", get(keyA), []reply{throttled}, table.ErrUnavailable,
			strings.Repeat("GetItem ", 6)},
		{"get not allowed", get(keyA), []reply{notAllowed}, errOther, "GetItem"},
		{"get foreign item", get(keyA), []reply{{200, `{"Item":{"z":{"S":"?"}}}`}}, errOther, "GetItem"},
		{"get two", get(keyA, keyB), []reply{
			{200, `{"Responses":{"content":[` + storeA +
				`]},"UnprocessedKeys":{"content":{"Keys":[{"pk":{"S":"p"},"sk":{"B":"Yg=="}}]}}}`}, done,
		}, nil, "BatchGetItem BatchGetItem"},
		{"get two, one never", get(keyA, keyB), []reply{
			{200, `{"UnprocessedKeys":{"content":{"Keys":[{"pk":{"S":"p"},"sk":{"B":"Yg=="}}]}}}`},
		}, table.ErrUnavailable, strings.Repeat("BatchGetItem ", 7)},
		{"put", write(putA), []reply{done}, nil, "PutItem"},
		{"put not held", write(putA), []reply{notHeld}, &table.ConditionError{Index: 0}, "PutItem"},
		{"put applied, answer lost", write(putA),
			[]reply{cut, failure("ConditionalCheckFailedException", `,"Item":`, storeA)}, nil,
			"PutItem PutItem"},
		{"put lost to another", write(putA),
			[]reply{broken, failure("ConditionalCheckFailedException",
				`,"Item":{"pk":{"S":"p"},"sk":{"B":"YQ=="},"v":{"N":"3"}}`)},
			&table.ConditionError{Index: 0}, "PutItem PutItem"},
		{"put during a transaction", write(putA), []reply{failure("TransactionConflictException"),
			done}, nil, "PutItem PutItem"},
		{"put oversized", write(putA), []reply{oversized}, table.ErrTooLarge, "PutItem"},
		{"put mistaken", write(putA), []reply{mistaken}, errOther, "PutItem"},
		{"delete", write(table.Op{Kind: table.Delete, Item: putA.Item}), []reply{cut, done}, nil,
			"BatchWriteItem BatchWriteItem"},
		{"conditional delete",
			write(table.Op{Kind: table.Delete, Item: putA.Item, If: table.Present}), []reply{done},
			nil, "TransactWriteItems"},
		{"transaction", write(putA, putB), []reply{cut, broken, throttled, done}, nil,
			strings.Repeat("TransactWriteItems ", 4)},
		{"transaction in conflict", write(putA, putB),
			[]reply{canceled("None", "TransactionConflict"), failure("TransactionInProgressException"), done},
			nil, strings.Repeat("TransactWriteItems ", 3)},
		{"transaction throttled inside", write(putA, putB),
			[]reply{canceled("ThrottlingError", "None"), done}, nil,
			strings.Repeat("TransactWriteItems ", 2)},
		{"transaction in conflict for ever", write(putA, putB),
			[]reply{canceled("TransactionConflict", "None")}, table.ErrUnavailable,
			strings.Repeat("TransactWriteItems ", 20)},
		{"transaction not held", write(putA, putB),
			[]reply{canceled("None", "ConditionalCheckFailed")}, &table.ConditionError{Index: 1},
			"TransactWriteItems"},
		{"transaction oversized", write(putA, putB), []reply{oversized}, table.ErrTooLarge,
			"TransactWriteItems"},
		{"add to an expired item", write(putA, addB),
			[]reply{canceled("None", "ConditionalCheckFailed"), done}, nil,
			strings.Repeat("TransactWriteItems ", 2)},
		{"add in vain", write(putA, addB), []reply{canceled("None", "ConditionalCheckFailed")},
			table.ErrUnavailable, strings.Repeat("TransactWriteItems ", 10)},
		{"counter", add, []reply{{200, `{"Attributes":{"n":{"N":"4"}}}`}}, nil, "UpdateItem"},
		{"counter throttled", add, []reply{throttled, {200, `{"Attributes":{"n":{"N":"4"}}}`}}, nil,
			"UpdateItem UpdateItem"},
		{"counter answer lost", add, []reply{cut, done}, table.ErrUnavailable, "UpdateItem"},
		{"counter broken", add, []reply{broken, done}, table.ErrUnavailable, "UpdateItem"},
		{"counter full", add,
			[]reply{failure("ConditionalCheckFailedException", `,"Item":`, storeA)}, table.ErrLimit,
			"UpdateItem"},
		{"counter expired", add,
			[]reply{failure("ConditionalCheckFailedException", `,"Item":{"x":{"N":"1000"}}`), done},
			nil, "UpdateItem PutItem"},
		{"batch", batch, []reply{
			{200,
				`{"UnprocessedItems":{"content":[{"DeleteRequest":{"Key":{"pk":{"S":"p"},"sk":{"B":"Yg=="}}}}]}}`},
			throttled, done,
		}, nil, strings.Repeat("BatchWriteItem ", 3)},
	} {
		t.Run(test.name, func(t *testing.T) {
			tab, seen := scripted(t, test.replies)
			err := test.call(t.Context(), tab)
			if !matches(err, test.want) {
				t.Errorf("got error %v, want %v", err, test.want)
			}
			var trips []string
			for _, a := range seen() {
				trips = append(trips, a.operation)
			}
			if got, want := strings.Join(trips, " "), strings.TrimSpace(test.trips); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	t.Run("requests", testRequests)
	t.Run("cancel between tries", testCancelBetweenTries)
}

var errOther = errors.New("an error that is not of the port")

func matches(err, want error) bool {
	var failed, wanted *table.ConditionError
	switch {
	case want == nil:
		return err == nil
	case want == errOther:
		return err != nil && !errors.Is(err, table.ErrUnavailable) &&
			!errors.Is(err, table.ErrTooLarge) && !errors.As(err, &failed)
	case errors.As(want, &wanted):
		return errors.As(err, &failed) && failed.Index == wanted.Index
	}
	return errors.Is(err, want)
}

// testRequests checks the requests in cases in which a wrong one would go unnoticed by the
// outcome.
func testRequests(t *testing.T) {
	tab, seen := scripted(t, []reply{cut, canceled("None", "ConditionalCheckFailed"), done})
	must.Do(t, tab.Write(t.Context(), []table.Op{putA, addB}))
	type transaction struct{ ClientRequestToken string }
	var tokens [3]transaction
	for i, a := range seen() {
		must.Do(t, json.Unmarshal([]byte(a.body), &tokens[i]))
	}
	if tokens[0].ClientRequestToken == "" || tokens[0] != tokens[1] || tokens[1] == tokens[2] {
		t.Errorf("a retry keeps its token, another request has its own: %v", tokens)
	}

	testEvasion(t)

	tab, seen = scripted(t, []reply{done})
	_, err1 := tab.Query(t.Context(), table.Range{Partition: "p", From: "a", To: "b", Reverse: true,
		Limit: 5, Eventual: true})
	_, err2 := tab.Get(t.Context(), table.Eventual, keyA)
	_, err3 := tab.Get(t.Context(), table.Strong, keyA)
	must.Do(t, errors.Join(err1, err2, err3))
	for i, want := range [][]string{
		{`"ConsistentRead":false`, `"ScanIndexForward":false`, `"Limit":6`, `BETWEEN`},
		{`"ConsistentRead":false`},
		{`"ConsistentRead":true`},
	} {
		for _, part := range want {
			if !strings.Contains(seen()[i].body, part) {
				t.Errorf("request %d lacks %s: %s", i, part, seen()[i].body)
			}
		}
	}
}

// testEvasion finds that a transaction which was refused for another one goes around it, unless an
// answer was lost: that try may have been applied.
func testEvasion(t *testing.T) {
	taken := canceled("None", "TransactionConflict")
	for _, test := range []struct {
		replies []reply
		last    string // the sort key of the last item, in base64
		evades  bool
	}{{[]reply{taken, done}, `"Yy0x"`, true}, {[]reply{cut, taken, done}, `"Yy0w"`, false}} {
		tab, seen := scripted(t, test.replies)
		evasions := 0
		ops := []table.Op{putA, addB}
		ops[1].Item.Key.Sort = "c-0"
		err := tab.Write(table.WithEvasion(t.Context(), func() {
			evasions++
			ops[1].Item.Key.Sort = "c-1"
		}), ops)
		requests := seen()
		type transaction struct{ ClientRequestToken string }
		var first, last transaction
		if err == nil {
			err = errors.Join(json.Unmarshal([]byte(requests[0].body), &first),
				json.Unmarshal([]byte(requests[len(requests)-1].body), &last))
		}
		if err != nil || evasions > 0 != test.evades || first == last == test.evades ||
			!strings.Contains(requests[len(requests)-1].body, test.last) {
			t.Errorf("evaded %d times, %v, %v", evasions, requests, err)
		}
	}
}

func testCancelBetweenTries(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cancel()
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer server.Close()
	tab := dynamo.New(client(server.URL, "test"), "content", dynamo.WithRetryDelay(time.Hour))
	if err := tab.Write(ctx, []table.Op{putA}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want canceled", err)
	}
}
