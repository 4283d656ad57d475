package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	sqstypes "github.com/aws/aws-sdk-go-v2/service/sqs/types"

	"headless/pkg/must"
	"headless/scripts/awslocal/gateway"
	"headless/scripts/awslocal/runtime"
)

// gbSeconds is what Lambda bills. It is no metric of AWS, but it is in its bill.
const gbSeconds = "GBSeconds"

// recording collects the metrics that AWS would have. Those of requests, functions and the sweeper
// come from the log, as AWS makes them.
type recording struct {
	log    *bufio.Reader
	prefix string // of the names of functions

	mu     sync.Mutex
	at     time.Duration
	points []point
}

func newRecording(t *testing.T, log, prefix string) *recording {
	t.Helper()
	file, err := os.Open(log)
	must.Do(t, err)
	t.Cleanup(func() { file.Close() })
	return &recording{log: bufio.NewReader(file), prefix: prefix}
}

func (r *recording) add(namespace, name, dimension string, value float64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.points = append(r.points, point{
		metric: metric{Namespace: namespace, Name: name, Dimension: dimension},
		At:     r.at, Value: value})
}

// step takes the log since the last step and goes on to the next period.
func (r *recording) step(t *testing.T) {
	t.Helper()
	for {
		line, err := r.log.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		must.Do(t, err)
		r.line(line)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at += period
}

// skip forgets the log so far.
func (r *recording) skip(t *testing.T) {
	r.step(t)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.points, r.at = nil, 0
}

// line reads one line of the log; lines without metrics are many.
func (r *recording) line(text []byte) {
	var l struct {
		runtime.Line
		Msg     string
		Status  int
		Latency float64 `json:"latency_ms"`
		AWS     *struct {
			CloudWatchMetrics []struct {
				Namespace  string
				Dimensions [][]string
				Metrics    []struct{ Name string }
			}
		} `json:"_aws"`
	}
	if json.Unmarshal(text, &l) != nil {
		return
	}
	function := "FunctionName=" + r.prefix + "-" + l.Function
	switch {
	case l.Type == runtime.ThrottleType:
		r.add("AWS/Lambda", "Throttles", function, 1)
	case l.Type == runtime.ReportType:
		r.add("AWS/Lambda", "Invocations", function, 1)
		r.add("AWS/Lambda", "Errors", function, oneIf(l.Record.Status != "success"))
		r.add("AWS/Lambda", "Duration", function, l.Record.Metrics.DurationMs)
		r.add("AWS/Lambda", gbSeconds, function, float64(l.Record.Metrics.MemorySizeMB)/1024*
			float64(l.Record.Metrics.BilledDurationMs)/1000)
	case l.Msg == gateway.AccessMessage:
		const api = "ApiId=" + apiID
		r.add("AWS/ApiGateway", "Count", api, 1)
		r.add("AWS/ApiGateway", "4xx", api, oneIf(l.Status/100 == 4))
		r.add("AWS/ApiGateway", "5xx", api, oneIf(l.Status/100 == 5))
		r.add("AWS/ApiGateway", "Latency", api, l.Latency)
	case l.AWS != nil:
		var values map[string]any
		if json.Unmarshal(text, &values) != nil {
			return
		}
		for _, directive := range l.AWS.CloudWatchMetrics {
			name := directive.Dimensions[0][0]
			for _, m := range directive.Metrics {
				if v, ok := values[m.Name].(float64); ok {
					r.add(directive.Namespace, m.Name, name+"="+values[name].(string), v)
				}
			}
		}
	}
}

func oneIf(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// queues records how many messages wait in each queue.
func (r *recording) queues(ctx context.Context, t *testing.T, d *deployment) {
	t.Helper()
	const waiting = sqstypes.QueueAttributeNameApproximateNumberOfMessages
	for id := range maps.Keys(d.scope.Attributes) {
		queue, ok := strings.CutSuffix(id, ".QueueName")
		if !ok {
			continue
		}
		out, err := d.cloud.Queues.GetQueueAttributes(ctx, &sqs.GetQueueAttributesInput{
			QueueUrl:       aws.String(d.scope.Refs[queue]),
			AttributeNames: []sqstypes.QueueAttributeName{waiting}})
		if err != nil {
			continue // a fault has deleted it
		}
		n, err := strconv.Atoi(out.Attributes[string(waiting)])
		must.Do(t, err)
		r.add("AWS/SQS", "ApproximateNumberOfMessagesVisible", "QueueName="+d.scope.Attributes[id],
			float64(n))
	}
}

// ringing lists the alarms that rang during the recording.
func (r *recording) ringing(list []alarm) (ids []string) {
	for _, a := range list {
		if a.rings(r.points, r.at, period) {
			ids = append(ids, a.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// summary is how many values each metric has, and their sum.
func (r *recording) summary() string {
	count, sum := map[metric]int{}, map[metric]float64{}
	for _, p := range r.points {
		count[p.metric]++
		sum[p.metric] += p.Value
	}
	var lines []string
	for m := range count {
		lines = append(lines, fmt.Sprintf("%s %s %s: %d values, sum %.0f", m.Namespace, m.Name,
			m.Dimension, count[m], sum[m]))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
