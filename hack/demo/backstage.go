package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/takt-dev/takt/e2e/lib/cluster"
)

// simulatedSettings are those of the operator where trainings are played.
//
//go:embed takt.yaml
var simulatedSettings []byte

// The names of what is in the folder of the demo, beside what localcluster keeps there.
const (
	settingsFile = "takt.yaml"
	logFile      = "takt-operator.log"
)

// ready begins the line by which those who wait know that the cluster and the operator run, and where its page is.
const ready = "ready: "

// backstage is what the process does that has the cluster and the operator: it starts both in a
// folder, and takes them down and removes the folder when its standard input closes. That happens
// when the process in front says so, and also when that one dies, however it dies.
func backstage(folder, operator string, real bool) (err error) {
	signal.Ignore(syscall.SIGPIPE) // the process in front may be gone while there is something to tell
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	settings, nodes := simulatedSettings, cluster.Scheduled
	if real {
		settings, nodes = trainedSettings, cluster.RealNodes
	}
	arguments, err := nodes(folder)
	if err != nil {
		return err
	}
	c, err := cluster.StartIn(ctx, folder, arguments...)
	if err != nil {
		return unlessOver(ctx, err)
	}
	defer func() { err = errors.Join(err, c.Stop()) }()
	if err := c.InstallCRDs(ctx); err != nil {
		return unlessOver(ctx, err)
	}
	if real {
		if err := furnish(ctx, c); err != nil {
			return unlessOver(ctx, err)
		}
	}
	ended, page, err := operate(ctx, c, operator, settings)
	if err != nil {
		return err
	}
	fmt.Println(ready + page)
	if err := <-ended; ctx.Err() == nil {
		return fmt.Errorf("the operator has ended by itself: %w\n%s", err, lastLines(filepath.Join(folder, logFile), 10))
	}
	return nil
}

// operate runs the operator, as anybody would, until the context ends.
func operate(ctx context.Context, c *cluster.Cluster, program string, settings []byte) (ended <-chan error, page string,
	err error) {
	if page, err = cluster.FreeAddress(ctx); err != nil {
		return nil, "", err
	}
	config := filepath.Join(c.Folder(), settingsFile)
	if err := os.WriteFile(config, withPage(settings, page), 0o600); err != nil {
		return nil, "", err
	}
	log, err := os.Create(filepath.Join(c.Folder(), logFile))
	if err != nil {
		return nil, "", err
	}
	defer log.Close()
	operator := exec.CommandContext(ctx, program, "--config", config, "--kubeconfig", c.Kubeconfig())
	operator.Stdout, operator.Stderr = log, log
	operator.Cancel = func() error { return operator.Process.Signal(syscall.SIGTERM) }
	operator.WaitDelay = patience
	if err := operator.Start(); err != nil {
		return nil, "", fmt.Errorf("cannot run the operator (make demo builds it): %w", err)
	}
	result := make(chan error, 1)
	go func() { result <- operator.Wait() }()
	return result, page, nil
}

// withPage are the settings of an operator that serves its page at an address.
func withPage(settings []byte, address string) []byte {
	return bytes.Replace(settings, []byte(`metrics: {bindAddress: "0"}`),
		fmt.Appendf(nil, "metrics: {bindAddress: %q}\npage: {enabled: true}", address), 1)
}

// unlessOver is no error if it came about because the demo is over.
func unlessOver(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	return nil
}

// lastLines is the end of a file.
func lastLines(path string, count int) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-count):], "\n")
}
