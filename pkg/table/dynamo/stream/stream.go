// Package stream reads items from the records of the table's stream. It is a separate package so
// that only the function that consumes the stream links the event types.
package stream

import (
	"fmt"

	"github.com/aws/aws-lambda-go/events"

	"headless/pkg/table"
)

// Key decodes the Keys of a stream record.
func Key(keys map[string]events.DynamoDBAttributeValue) (table.Key, error) {
	item, err := Item(keys)
	return item.Key, err
}

// Item decodes an image of a stream record. It returns an error for an unknown attribute or one of
// another type.
func Item(image map[string]events.DynamoDBAttributeValue) (table.Item, error) {
	var item table.Item
	for name, value := range image {
		if err := set(&item, name, value); err != nil {
			return table.Item{}, err
		}
	}
	if err := item.Validate(); err != nil {
		return table.Item{}, err
	}
	return item, nil
}

func set(item *table.Item, name string, value events.DynamoDBAttributeValue) error {
	kind, known := map[string]events.DynamoDBDataType{
		table.AttrPartition: events.DataTypeString,
		table.AttrSort:      events.DataTypeBinary,
		table.AttrBody:      events.DataTypeBinary,
		table.AttrVersion:   events.DataTypeNumber,
		table.AttrCount:     events.DataTypeNumber,
		table.AttrExpires:   events.DataTypeNumber,
	}[name]
	if !known || value.DataType() != kind { // the accessors panic on another type
		return fmt.Errorf("stream: unexpected attribute %q of type %d", name, value.DataType())
	}
	var err error
	switch name {
	case table.AttrPartition:
		item.Partition = value.String()
	case table.AttrSort:
		item.Sort = string(value.Binary())
	case table.AttrBody:
		item.Body = value.Binary()
	case table.AttrVersion:
		item.Version, err = value.Integer()
	case table.AttrCount:
		item.Count, err = value.Integer()
	case table.AttrExpires:
		item.Expires, err = value.Integer()
	}
	return err
}
