package pump

import (
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"headless/pkg/table"
)

// Invoke calls the function that a pump feeds.
type Invoke func(ctx context.Context, payload []byte) ([]byte, error)

// Stream invokes a function with the records of a table's stream, shard by shard, like Lambda. Records
// with one partition key come in order. A failed batch is retried in halves, or from the first record
// that the function reports. After too many attempts it goes to DeadLetter.
type Stream struct {
	Client      *dynamodbstreams.Client
	ARN         string
	Filters     []Filter // a record must match one; none means all
	BatchSize   int
	Parallel    int // batches of a shard at a time
	MaxAttempts int
	Invoke      Invoke
	DeadLetter  func(ctx context.Context, batch []byte) error
	Log         *slog.Logger
}

const (
	// Between reads of a shard; Lambda polls at least four times a second.
	streamPoll  = 100 * time.Millisecond
	shardPoll   = 2 * time.Second // between looks for new shards
	retryPause  = 100 * time.Millisecond
	maxPerShard = 1000 // records of one read
)

// Run feeds the function until ctx ends.
func (s Stream) Run(ctx context.Context) {
	known := map[string]bool{}
	for {
		shards, err := s.shards(ctx)
		if err != nil && ctx.Err() == nil {
			s.Log.Warn("stream", "error", err.Error())
		}
		for _, id := range shards {
			if !known[id] {
				known[id] = true
				go s.followShard(ctx, id)
			}
		}
		if table.Pause(ctx, shardPoll) != nil {
			return
		}
	}
}

func (s Stream) shards(ctx context.Context) ([]string, error) {
	var ids []string
	var start *string
	for {
		out, err := s.Client.DescribeStream(ctx,
			&dynamodbstreams.DescribeStreamInput{StreamArn: &s.ARN, ExclusiveStartShardId: start})
		if err != nil {
			return nil, err
		}
		for _, shard := range out.StreamDescription.Shards {
			ids = append(ids, *shard.ShardId)
		}
		if start = out.StreamDescription.LastEvaluatedShardId; start == nil {
			return ids, nil
		}
	}
}

// followShard reads a shard from its oldest record to its end.
func (s Stream) followShard(ctx context.Context, shard string) {
	var iterator *string
	for ctx.Err() == nil {
		if iterator == nil {
			out, err := s.Client.GetShardIterator(ctx, &dynamodbstreams.GetShardIteratorInput{
				StreamArn: &s.ARN, ShardId: &shard, ShardIteratorType: types.ShardIteratorTypeTrimHorizon,
			})
			if err != nil { // just after the table was created
				_ = table.Pause(ctx, retryPause)
				continue
			}
			iterator = out.ShardIterator
		}
		out, err := s.Client.GetRecords(ctx,
			&dynamodbstreams.GetRecordsInput{ShardIterator: iterator, Limit: aws.Int32(maxPerShard)})
		if err != nil {
			if ctx.Err() == nil {
				s.Log.Warn("stream", "shard", shard, "error", err.Error())
			}
			_ = table.Pause(ctx, retryPause)
			continue
		}
		s.deliver(ctx, out.Records)
		if iterator = out.NextShardIterator; iterator == nil {
			return // the shard is closed
		}
		if len(out.Records) < maxPerShard { // the emulator takes longer for a read the more it has stored
			_ = table.Pause(ctx, streamPoll)
		}
	}
}

// deliver delivers the records that pass the filters, in batches. Those with one partition key are in one
// lane, and lanes do not wait for one another.
func (s Stream) deliver(ctx context.Context, records []types.Record) {
	lanes := make([][]record, max(1, s.Parallel))
	for _, r := range records {
		event, err := convert(r)
		if err != nil {
			s.Log.Error("stream record", "error", err.Error())
			continue
		}
		if s.passes(event) {
			hash := fnv.New32a()
			hash.Write([]byte(event.partition))
			lane := hash.Sum32() % uint32(len(lanes))
			lanes[lane] = append(lanes[lane], event)
		}
	}
	var delivering sync.WaitGroup
	for _, lane := range lanes {
		delivering.Go(func() {
			for part := range slices.Chunk(lane, max(1, s.BatchSize)) {
				s.batch(ctx, part, 1)
			}
		})
	}
	delivering.Wait()
}

func (s Stream) passes(r record) bool {
	for _, f := range s.Filters {
		if f.Matches(r.decoded) {
			return true
		}
	}
	return len(s.Filters) == 0
}

// batch invokes the function until all records are handled or abandoned.
func (s Stream) batch(ctx context.Context, records []record, attempt int) {
	for len(records) > 0 && ctx.Err() == nil {
		payload := eventOf(records)
		answer, err := s.Invoke(ctx, payload)
		if err == nil {
			first, ok := firstFailure(answer, records)
			if !ok {
				return
			}
			if first > 0 {
				attempt = 0 // progress
			}
			records = records[first:]
			err = errors.New("reported by the function")
		} else if len(records) > 1 {
			half := len(records) / 2
			s.batch(ctx, records[:half], attempt+1)
			records = records[half:]
			attempt++
			continue
		}
		if attempt++; attempt > max(1, s.MaxAttempts) {
			s.Log.Error("stream batch abandoned", "records", len(records), "error", err.Error())
			if s.DeadLetter != nil {
				if err := s.DeadLetter(ctx, eventOf(records)); err != nil {
					s.Log.Error("dead letter", "error", err.Error())
				}
			}
			return
		}
		_ = table.Pause(ctx, retryPause)
	}
}

// firstFailure returns the position of the first record that a response reports. A response with an
// unknown record fails all.
func firstFailure(answer []byte, records []record) (int, bool) {
	failed := failures(answer)
	if len(failed) == 0 {
		return 0, false
	}
	for i, r := range records {
		if failed[r.sequence] {
			return i, true
		}
	}
	return 0, true
}

// failures reads the identifiers of a partial batch response.
func failures(answer []byte) map[string]bool {
	var response struct {
		BatchItemFailures []struct {
			ItemIdentifier string `json:"itemIdentifier"`
		} `json:"batchItemFailures"`
	}
	if json.Unmarshal(answer, &response) != nil {
		return nil
	}
	out := map[string]bool{}
	for _, f := range response.BatchItemFailures {
		out[f.ItemIdentifier] = true
	}
	return out
}
