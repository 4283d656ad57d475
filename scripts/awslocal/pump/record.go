package pump

import (
	"encoding/json"
	"fmt"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams/types"

	"headless/pkg/slice"
)

// record is a stream record in the form that a function receives.
type record struct {
	sequence  string
	partition string // partition key of the item
	text      json.RawMessage
	decoded   map[string]any // of text, for the filters
}

// eventOf returns the event with these records.
func eventOf(records []record) []byte {
	texts := slice.Map(records, func(r record) json.RawMessage { return r.text })
	payload, err := json.Marshal(map[string]any{"Records": texts})
	if err != nil {
		return nil // cannot fail: the texts are valid JSON
	}
	return payload
}

// convert converts a record of the Streams API in the same way as Lambda.
func convert(r types.Record) (record, error) {
	change := map[string]any{
		"SequenceNumber": *r.Dynamodb.SequenceNumber,
		"StreamViewType": r.Dynamodb.StreamViewType,
	}
	if r.Dynamodb.SizeBytes != nil {
		change["SizeBytes"] = *r.Dynamodb.SizeBytes
	}
	if at := r.Dynamodb.ApproximateCreationDateTime; at != nil {
		change["ApproximateCreationDateTime"] = at.Unix()
	}
	keys := map[string]events.DynamoDBAttributeValue{}
	for attribute, v := range r.Dynamodb.Keys {
		value, err := attributeValue(v)
		if err != nil {
			return record{}, fmt.Errorf("%s: %w", attribute, err)
		}
		keys[attribute] = value
	}
	change["Keys"] = keys
	event := map[string]any{"eventName": r.EventName, "eventSource": "aws:dynamodb",
		"eventVersion": "1.1", "dynamodb": change}
	if r.EventID != nil {
		event["eventID"] = *r.EventID
	}
	out := record{sequence: *r.Dynamodb.SequenceNumber, partition: keys["pk"].String()}
	var err error
	if out.text, err = json.Marshal(event); err != nil {
		return record{}, err
	}
	return out, json.Unmarshal(out.text, &out.decoded)
}

// attributeValue converts the types that the table uses.
func attributeValue(v types.AttributeValue) (events.DynamoDBAttributeValue, error) {
	switch v := v.(type) {
	case *types.AttributeValueMemberS:
		return events.NewStringAttribute(v.Value), nil
	case *types.AttributeValueMemberN:
		return events.NewNumberAttribute(v.Value), nil
	case *types.AttributeValueMemberB:
		return events.NewBinaryAttribute(v.Value), nil
	case *types.AttributeValueMemberBOOL:
		return events.NewBooleanAttribute(v.Value), nil
	case *types.AttributeValueMemberNULL:
		return events.NewNullAttribute(), nil
	case *types.AttributeValueMemberM:
		m := map[string]events.DynamoDBAttributeValue{}
		for name, e := range v.Value {
			value, err := attributeValue(e)
			if err != nil {
				return value, err
			}
			m[name] = value
		}
		return events.NewMapAttribute(m), nil
	case *types.AttributeValueMemberL:
		var l []events.DynamoDBAttributeValue
		for _, e := range v.Value {
			value, err := attributeValue(e)
			if err != nil {
				return value, err
			}
			l = append(l, value)
		}
		return events.NewListAttribute(l), nil
	}
	return events.DynamoDBAttributeValue{}, fmt.Errorf("pump: attribute type %T", v)
}
