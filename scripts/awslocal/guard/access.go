package guard

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// access is a request to IAM: an action on a table, with the partitions that it uses.
type access struct {
	action, table string
	keys          []string
}

// record is an item or its key. Only its partition is read.
type record struct {
	PK struct{ S string } `json:"pk"`
}

// single is a request about one item, alone or in a transaction.
type single struct {
	TableName string
	Key, Item *record
}

func (s single) access(action string) access {
	a := access{action: action, table: s.TableName}
	for _, r := range []*record{s.Key, s.Item} {
		if r != nil {
			a.keys = append(a.keys, r.PK.S)
		}
	}
	return a
}

// accesses returns the accesses of a request. Each operation of a transaction is a separate one.
func accesses(operation string, body []byte) ([]access, error) {
	switch operation {
	case "Query":
		return query(body)
	case "BatchGetItem", "BatchWriteItem":
		return batch(operation, body)
	case "TransactGetItems", "TransactWriteItems":
		return transaction(body)
	}
	var in single
	err := json.Unmarshal(body, &in)
	return []access{in.access(operation)}, err
}

func query(body []byte) ([]access, error) {
	var in struct {
		TableName, KeyConditionExpression string
		ExpressionAttributeNames          map[string]string
		ExpressionAttributeValues         map[string]struct{ S string }
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	words := strings.Fields(in.KeyConditionExpression)
	if len(words) < 3 || in.ExpressionAttributeNames[words[0]] != "pk" || words[1] != "=" {
		return nil, errors.New("guard: the key condition does not start with the partition")
	}
	return []access{{action: "Query", table: in.TableName,
		keys: []string{in.ExpressionAttributeValues[words[2]].S}}}, nil
}

// batch reads both kinds of batches: reads have a list of keys, writes a list of operations.
func batch(operation string, body []byte) (out []access, err error) {
	var in struct{ RequestItems map[string]json.RawMessage }
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	for table, text := range in.RequestItems {
		a := access{action: operation, table: table}
		var reads struct{ Keys []record }
		var writes []struct{ PutRequest, DeleteRequest *single }
		if operation == "BatchGetItem" {
			err = json.Unmarshal(text, &reads)
		} else {
			err = json.Unmarshal(text, &writes)
		}
		if err != nil {
			return nil, err
		}
		for _, r := range reads.Keys {
			a.keys = append(a.keys, r.PK.S)
		}
		for _, w := range writes {
			for _, s := range []*single{w.PutRequest, w.DeleteRequest} {
				if s != nil {
					a.keys = append(a.keys, s.access("").keys...)
				}
			}
		}
		out = append(out, a)
	}
	return out, nil
}

func transaction(body []byte) (out []access, err error) {
	var in struct{ TransactItems []map[string]single }
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, err
	}
	actions := map[string]string{"Get": "GetItem", "Put": "PutItem", "Update": "UpdateItem",
		"Delete": "DeleteItem", "ConditionCheck": "ConditionCheckItem"}
	for _, item := range in.TransactItems {
		for kind, s := range item {
			out = append(out, s.access(actions[kind]))
		}
	}
	return out, nil
}

// kinds returns the prefixes of partitions up to the first #.
func kinds(keys []string) (out []string) {
	for _, key := range keys {
		kind, rest, found := strings.Cut(key, "#")
		if found {
			kind += "#"
		}
		if kind == "D#" || kind == "N#" || kind == "L#" {
			kind += strings.SplitN(rest, "#", 2)[0]
		}
		out = append(out, kind)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
