package recovery

import (
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"headless/pkg/app/awsconf/awsssm"
	"headless/pkg/blob"
	stored "headless/pkg/blob/s3"
	"headless/pkg/seal"
)

// Keys returns the keys that seal the secrets of a stack.
func Keys(cfg aws.Config, getenv func(string) string, stack string) *seal.Keys {
	return seal.NewKeys(awsssm.New(cfg, getenv, "/headless/"+stack+"/secrets", ""), time.Now)
}

// Bucket returns the files in a bucket.
func Bucket(client *s3.Client, name string) blob.Store { return stored.New(client, name) }

// Secrets copies the secrets of a stack to another one, and returns the names of those that it
// copied. What the other stack has stays. It is an error if the stack has no keys, or if the other
// one has other keys.
func Secrets(cfg aws.Config, getenv func(string) string, from, to, kmsKey string) (copied []string, err error) {
	for _, name := range []string{"secrets", "origin-verify", "oidc-client-secret"} {
		of := func(stack string) *awsssm.Parameter {
			path, about := "/headless/"+stack+"/"+name, "Restored from the stack "+from
			if name == "origin-verify" {
				return awsssm.NewPlain(cfg, getenv, path, about)
			}
			return awsssm.NewSecret(cfg, getenv, path, kmsKey, about)
		}
		value, err := of(from).Read()
		if err != nil {
			return copied, fmt.Errorf("%s of %s: %w", name, from, err)
		}
		there, err := of(to).Read()
		if err != nil {
			return copied, fmt.Errorf("%s of %s: %w", name, to, err)
		}
		switch {
		case value == "" && there == "" && name == "secrets":
			return copied, errors.New(from + " has no keys: put a copy of them to /headless/" + to + "/secrets")
		case value == "" || there == value:
		case there != "" && name == "secrets":
			return copied, errors.New(to + " has other keys, which do not open the secrets of " + from)
		case there == "":
			if err := of(to).Create(value); err != nil {
				return copied, fmt.Errorf("%s of %s: %w", name, to, err)
			}
			copied = append(copied, name)
		}
	}
	return copied, nil
}
