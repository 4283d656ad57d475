package main

import (
	"encoding/xml"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"

	"headless/pkg/must"
	"headless/pkg/table"
)

func isRead(operation string) bool {
	return operation == "Query" || strings.Contains(operation, "Get")
}

func isWrite(operation string) bool { return !isRead(operation) }

// throttleSome throttles a share of some operations of the table.
func (w *world) throttleSome(some func(operation string) bool, share float64) {
	throttle := func(operation string) bool { return some(operation) && rand.Float64() < share }
	w.throttle.Store(&throttle)
}

// before is called by the guard before each request to the table.
func (w *world) before(_, operation string) bool {
	time.Sleep(time.Duration(w.delay.Load()))
	throttle := w.throttle.Load()
	if throttle == nil || !(*throttle)(operation) {
		return false
	}
	name := "WriteThrottleEvents"
	if isRead(operation) {
		name = "ReadThrottleEvents"
	}
	w.recording.add("AWS/DynamoDB", name, "TableName="+w.d.scope.Refs["Table"], 1)
	return true
}

// invalidate stands for CloudFront, and counts the tags and paths that it bills.
func (w *world) invalidate(rw http.ResponseWriter, r *http.Request) {
	if w.cdnDown.Load() {
		rw.WriteHeader(http.StatusForbidden)
		io.WriteString(rw,
			`<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>no</Message></Error></ErrorResponse>`)
		return
	}
	var batch struct {
		Paths struct{ Quantity int64 }
	}
	if err := xml.NewDecoder(r.Body).Decode(&batch); err != nil {
		w.t.Error(err)
	}
	w.billed.Add(batch.Paths.Quantity)
	rw.WriteHeader(http.StatusCreated)
	io.WriteString(rw, `<Invalidation><Id>I</Id><Status>Completed</Status></Invalidation>`)
}

// poisonOutbox commits an event that nobody can read.
func (w *world) poisonOutbox() { w.t.Helper(); w.put("OUT#0") }

// poisonAll gives every function that works behind something to do, where no request can.
func (w *world) poisonAll() {
	w.t.Helper()
	w.poisonQueue("WebhookQueue")
	w.poisonQueue("MailQueue")
	w.put("OUT#0")
	w.put("PURGE#0")
}

// put makes a row of a partition that nobody can read.
func (w *world) put(partition string) {
	w.t.Helper()
	_, err := w.d.cloud.Tables.PutItem(w.t.Context(), &dynamodb.PutItemInput{
		TableName: aws.String(w.d.scope.Refs["Table"]),
		Item: map[string]types.AttributeValue{
			table.AttrPartition: &types.AttributeValueMemberS{Value: partition},
			table.AttrSort:      &types.AttributeValueMemberB{Value: []byte("poison")},
			table.AttrBody:      &types.AttributeValueMemberB{Value: []byte("{")},
		}})
	must.Do(w.t, err)
}

// poisonQueue sends a message that nobody can read.
func (w *world) poisonQueue(id string) {
	w.t.Helper()
	_, err := w.d.cloud.Queues.SendMessage(w.t.Context(), &sqs.SendMessageInput{
		QueueUrl: aws.String(w.d.scope.Refs[id]), MessageBody: aws.String("{")})
	must.Do(w.t, err)
}

// breakAll has every function end while it starts.
func (w *world) breakAll() {
	w.t.Helper()
	for id := range w.d.functions {
		file := filepath.Join(w.built, id, "bootstrap")
		must.Do(w.t, os.Remove(file))
		must.Do(w.t, os.WriteFile(file, []byte("#!/bin/sh\nexit 1\n"), 0o755))
	}
	w.d.close() // the copies that run
}
