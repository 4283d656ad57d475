package stream

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"headless/pkg/table"
)

func TestItem(t *testing.T) {
	for _, test := range []struct {
		name, image string
		want        table.Item
		fails       bool
	}{
		{name: "whole",
			image: `{"pk":{"S":"p"},"sk":{"B":"AP8="},"v":{"N":"3"},"n":{"N":"-4"},"d":{"B":"eA=="},"x":{"N":"2000000000"}}`,
			want: table.Item{Key: table.Key{Partition: "p", Sort: "\x00\xff"}, Version: 3,
				Count: -4, Body: []byte("x"), Expires: 2e9}},
		{name: "keys", image: `{"pk":{"S":"p"},"sk":{"B":"YQ=="}}`,
			want: table.Item{Key: table.Key{Partition: "p", Sort: "a"}}},
		{name: "empty", image: `{}`, fails: true},
		{name: "no sort key", image: `{"pk":{"S":"p"}}`, fails: true},
		{name: "unknown attribute", image: `{"pk":{"S":"p"},"sk":{"B":"YQ=="},"y":{"S":"?"}}`, fails: true},
		{name: "wrong type", image: `{"pk":{"S":"p"},"sk":{"S":"a"}}`, fails: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var image map[string]events.DynamoDBAttributeValue
			if err := json.Unmarshal([]byte(test.image), &image); err != nil {
				t.Fatal(err)
			}
			got, err := Item(image)
			if (err != nil) != test.fails || !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, %v", got, err)
			}
			key, err := Key(image)
			if (err != nil) != test.fails || key != test.want.Key {
				t.Errorf("got key %+v, %v", key, err)
			}
		})
	}
}
