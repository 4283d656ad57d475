package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/spf13/cobra"

	"headless/pkg/app/awsconf/awsssm"
	"headless/pkg/secrets"
	"headless/scripts/cms/command"
)

// stackSecrets are the secrets of a stack, which template.yaml names. They are parameters below
// /headless/<stack>/ in Parameter Store.
type stackSecrets struct {
	stack, kmsKey string
	rotateOrigin  bool
	oidc          string // the client secret at the sign-in provider; "" leaves the stored one
	cfg           aws.Config
}

func initSecretsCommand() *cobra.Command {
	var s stackSecrets
	cmd := &cobra.Command{
		Use: "init", Short: "Make the secrets of a stack that are missing", Args: cobra.NoArgs,
		Long: "Make the secrets of a stack that are missing, in Parameter Store below /headless/STACK/: secrets (the\n" +
			"keys that seal stored secrets) and origin-verify (between CloudFront and the functions). What is there\n" +
			"stays. With OIDC_CLIENT_SECRET in the environment it stores that as oidc-client-secret.",
		Example: "  cms secrets init --stack headless\n  cms secrets init --stack headless --rotate-origin",
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if !regexp.MustCompile("^[a-z][a-z0-9-]*$").MatchString(s.stack) {
				return errors.New("give --stack, such as headless")
			}
			s.oidc = os.Getenv("OIDC_CLIENT_SECRET")
			if s.cfg, err = config.LoadDefaultConfig(cmd.Context()); err != nil {
				return command.Failed(err)
			}
			return command.Failed(s.init(cmd.Context(), command.Stdout))
		},
	}
	cmd.Flags().StringVar(&s.stack, "stack", "", "name of the stack")
	cmd.Flags().StringVar(&s.kmsKey, "kms-key", "",
		"ARN of the KMS key that encrypts them, the same as the parameter KmsKey of the stack")
	cmd.Flags().BoolVar(&s.rotateOrigin, "rotate-origin", false, "make a new version of origin-verify")
	return cmd
}

// init makes what is missing and prints one line for each parameter, without its value.
func (s stackSecrets) init(ctx context.Context, stdout io.Writer) error {
	root := "/headless/" + s.stack + "/"
	keys := awsssm.New(s.cfg, os.Getenv, root+"secrets", s.kmsKey)
	if err := secrets.MakeKey(keys); err != nil {
		return fmt.Errorf("%ssecrets: %w", root, err)
	}
	fmt.Fprintf(stdout, "%ssecrets: there. Keep a copy where your passwords are\n", root)
	if s.oidc != "" {
		p := awsssm.NewSecret(s.cfg, os.Getenv, root+"oidc-client-secret", s.kmsKey,
			"Client secret at the sign-in provider of the content service")
		if err := p.Replace(s.oidc); err != nil {
			return fmt.Errorf("%soidc-client-secret: %w", root, err)
		}
		fmt.Fprintf(stdout, "%soidc-client-secret: stored\n", root)
	}
	return s.initOrigin(root+"origin-verify", stdout)
}

// initOrigin makes the secret of CloudFront. Templates cannot refer to an encrypted parameter, and
// CloudFront shows the value to whoever may read the distribution.
func (s stackSecrets) initOrigin(name string, stdout io.Writer) error {
	p := awsssm.NewPlain(s.cfg, os.Getenv, name, "Secret between CloudFront and the content service")
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	store := p.Create
	if s.rotateOrigin {
		store = p.Replace
	}
	err := store(hex.EncodeToString(secret))
	var version int64
	if err == nil {
		version, err = p.Version()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	fmt.Fprintf(stdout, "%s: version %d\n", name, version)
	return nil
}
