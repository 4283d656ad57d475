package stream

import (
	"encoding/json"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"headless/pkg/must"
	"headless/pkg/table"
)

func TestKey(t *testing.T) {
	for _, test := range []struct {
		name, keys string
		want       table.Key
		fails      bool
	}{
		{name: "whole", keys: `{"pk":{"S":"p"},"sk":{"B":"AP8="}}`,
			want: table.Key{Partition: "p", Sort: "\x00\xff"}},
		{name: "empty", keys: `{}`, fails: true},
		{name: "no sort key", keys: `{"pk":{"S":"p"}}`, fails: true},
		{name: "unknown attribute", keys: `{"pk":{"S":"p"},"sk":{"B":"YQ=="},"y":{"S":"?"}}`, fails: true},
		{name: "wrong type", keys: `{"pk":{"S":"p"},"sk":{"S":"a"}}`, fails: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var keys map[string]events.DynamoDBAttributeValue
			must.Do(t, json.Unmarshal([]byte(test.keys), &keys))
			got, err := Key(keys)
			if (err != nil) != test.fails || err == nil && got != test.want {
				t.Errorf("got key %+v, %v", got, err)
			}
		})
	}
}
