// Package stream reads keys from the records of the table's stream, which has no images: a reader of
// the stream would see those of all rows. It is a separate package so that only the function that
// consumes the stream links the event types.
package stream

import (
	"fmt"

	"github.com/aws/aws-lambda-go/events"

	"headless/pkg/table"
)

// Key decodes the Keys of a stream record. It returns an error for an unknown attribute or one of
// another type.
func Key(keys map[string]events.DynamoDBAttributeValue) (table.Key, error) {
	var item table.Item
	for name, value := range keys {
		switch kind := value.DataType(); { // the accessors panic on another type
		case name == table.AttrPartition && kind == events.DataTypeString:
			item.Partition = value.String()
		case name == table.AttrSort && kind == events.DataTypeBinary:
			item.Sort = string(value.Binary())
		default:
			return table.Key{}, fmt.Errorf("stream: unexpected attribute %q of type %d", name, kind)
		}
	}
	return item.Key, item.Validate()
}
