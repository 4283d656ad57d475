package dynamo

import (
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"headless/pkg/table"
)

// attrs is an item or a key in the form of DynamoDB.
type attrs = map[string]types.AttributeValue

func numberValue(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

func encodeKey(k table.Key) attrs {
	return attrs{
		table.AttrPartition: &types.AttributeValueMemberS{Value: k.Partition},
		table.AttrSort:      &types.AttributeValueMemberB{Value: []byte(k.Sort)},
	}
}

// encodeItem leaves out zero values.
func encodeItem(i *table.Item) attrs {
	m := encodeKey(i.Key)
	if i.Version != 0 {
		m[table.AttrVersion] = numberValue(i.Version)
	}
	if i.Count != 0 {
		m[table.AttrCount] = numberValue(i.Count)
	}
	if len(i.Body) > 0 {
		m[table.AttrBody] = &types.AttributeValueMemberB{Value: i.Body}
	}
	if i.Expires != 0 {
		m[table.AttrExpires] = numberValue(i.Expires)
	}
	return m
}

func decodeItem(m attrs) (table.Item, error) {
	var item table.Item
	for name, value := range m {
		var err error
		switch v := value.(type) {
		case *types.AttributeValueMemberS:
			err = setString(&item, name, v.Value)
		case *types.AttributeValueMemberB:
			err = setBytes(&item, name, v.Value)
		case *types.AttributeValueMemberN:
			err = setNumber(&item, name, v.Value)
		default:
			err = unexpectedError(name)
		}
		if err != nil {
			return table.Item{}, err
		}
	}
	return item, nil
}

func setString(item *table.Item, name, value string) error {
	if name != table.AttrPartition {
		return unexpectedError(name)
	}
	item.Partition = value
	return nil
}

func setBytes(item *table.Item, name string, value []byte) error {
	switch name {
	case table.AttrSort:
		item.Sort = string(value)
	case table.AttrBody:
		item.Body = value
	default:
		return unexpectedError(name)
	}
	return nil
}

func setNumber(item *table.Item, name, value string) error {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return fmt.Errorf("dynamo: attribute %q: %w", name, err)
	}
	switch name {
	case table.AttrVersion:
		item.Version = n
	case table.AttrCount:
		item.Count = n
	case table.AttrExpires:
		item.Expires = n
	default:
		return unexpectedError(name)
	}
	return nil
}

func unexpectedError(name string) error { return fmt.Errorf("dynamo: unexpected attribute %q", name) }
