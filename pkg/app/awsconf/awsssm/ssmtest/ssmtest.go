// Package ssmtest is a stand-in for Parameter Store in tests.
package ssmtest

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
)

// Parameter is one stored parameter.
type Parameter struct {
	Type, Value, KeyID string
	Version            int64
}

// Store keeps parameters by name.
type Store struct {
	URL    string
	Config aws.Config

	mu     sync.Mutex
	stored map[string]Parameter
	asked  []string
}

// New starts a store, which ends with the test.
func New(t *testing.T) *Store {
	t.Helper()
	s := &Store{stored: map[string]Parameter{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = server.URL
	s.Config = aws.Config{Region: "eu-west-1", HTTPClient: http.DefaultClient,
		Credentials: credentials.NewStaticCredentialsProvider("test", "testtest", "")}
	return s
}

// Getenv names the store as the endpoint of the service.
func (s *Store) Getenv(name string) string {
	return map[string]string{"AWS_ENDPOINT_URL_SSM": s.URL}[name]
}

// All returns all parameters.
func (s *Store) All() map[string]Parameter {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]Parameter{}
	maps.Copy(all, s.stored)
	return all
}

// Asked returns the names that were asked for.
func (s *Store) Asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// Put stores a parameter.
func (s *Store) Put(name, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stored[name] = Parameter{Type: "SecureString", Value: value, Version: s.stored[name].Version + 1}
}

// ServeHTTP answers GetParameter and PutParameter.
func (s *Store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Name, Type, Value, KeyID string
		Overwrite                bool
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p, there := s.stored[in.Name]
	refusal := ""
	var out any = struct{}{}
	switch r.Header.Get("X-Amz-Target") {
	case "AmazonSSM.GetParameter":
		s.asked = append(s.asked, in.Name)
		out = map[string]any{"Parameter": p}
		if !there {
			refusal = "ParameterNotFound"
		}
	case "AmazonSSM.PutParameter":
		if there && !in.Overwrite {
			refusal = "ParameterAlreadyExists"
			break
		}
		s.stored[in.Name] = Parameter{in.Type, in.Value, in.KeyID, p.Version + 1}
	default:
		refusal = "UnknownOperationException"
	}
	if refusal != "" {
		w.WriteHeader(http.StatusBadRequest)
		out = map[string]string{"__type": refusal}
	}
	_ = json.NewEncoder(w).Encode(out)
}
