package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"headless/scripts/internal/emulator"
)

// emulators are the emulators of AWS services that this program started (scripts/tools).
type emulators struct {
	addresses map[string]string // URLs by the suffix of AWS_ENDPOINT_URL_
	running   []*emulator.Emulator
}

// startEmulators installs and starts DynamoDB Local, versitygw and moto and waits until they answer.
func startEmulators(ctx context.Context) (e *emulators, err error) {
	e = &emulators{addresses: map[string]string{}}
	defer func() {
		if err != nil {
			e.stop()
		}
	}()
	for _, tool := range []struct {
		name     string
		services []string
	}{{"dynamodb-local", []string{"DYNAMODB"}}, {"versitygw", []string{"S3"}}, {"moto", []string{"SQS", "SESV2", "SSM"}}} {
		// A download may take any time. Only an installed tool must answer soon.
		install := exec.CommandContext(ctx, "scripts/tools/"+tool.name+".sh", "install")
		install.Stdout, install.Stderr = os.Stderr, os.Stderr
		if err := install.Run(); err != nil {
			return e, fmt.Errorf("%s install: %w", tool.name, err)
		}
		one, err := emulator.Start(tool.name)
		if err != nil {
			return e, err
		}
		e.running = append(e.running, one)
		for _, s := range tool.services {
			e.addresses[s] = one.URL
		}
	}
	for _, one := range e.running {
		if err := one.Wait(ctx, "/", time.Minute); err != nil {
			return e, err
		}
	}
	return e, nil
}

// stop ends the emulators and removes what they stored.
func (e *emulators) stop() {
	for _, one := range e.running {
		one.Stop()
	}
}
