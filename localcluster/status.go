package localcluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"
	"time"
)

// Status prints what runs and whether it is ready, and fails unless everything is.
func (c *Cluster) Status(ctx context.Context) error {
	s, err := c.dir.readSettings()
	if err != nil {
		return err
	}
	client, err := c.dir.httpClient()
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()

	table := tabwriter.NewWriter(c.out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "COMPONENT\tSTATE\tPID\tADDRESS")
	notReady := 0
	components := s.components()
	for _, name := range components {
		state, process := "Ready", "-"
		pid, running := c.dir.process(name).runs()
		if running {
			process = fmt.Sprint(pid)
		}
		switch {
		case !running:
			state = "Stopped"
		case checkReady(ctx, client, name, s) != nil:
			state = "NotReady"
		}
		if state != "Ready" {
			notReady++
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", name, state, process, s.address(name))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if notReady > 0 {
		return fmt.Errorf("%d of %d components are not ready: see localcluster logs COMPONENT, and localcluster restart "+
			"COMPONENT", notReady, len(components))
	}
	kubernetes, err := c.client()
	if err != nil {
		return err
	}
	ready, err := readyNodes(ctx, kubernetes, s.Options, time.Time{})
	if err != nil {
		return err
	}
	fmt.Fprintf(c.out, "\nNodes that are ready: %d of %d\nkubeconfig: %s\n", ready, s.Options.Nodes+s.Options.Kubelets,
		c.Kubeconfig())
	if ready < s.Options.Nodes+s.Options.Kubelets {
		return errors.New("not all nodes are ready: see kubectl get nodes")
	}
	return nil
}

// Logs prints what a component has printed since the cluster was first started.
func (c *Cluster) Logs(name string) error {
	if _, err := c.component(name); err != nil {
		return err
	}
	log, err := os.Open(c.dir.process(name).logFile)
	if os.IsNotExist(err) {
		return fmt.Errorf("%s was never started", name)
	}
	if err != nil {
		return err
	}
	defer log.Close()
	_, err = io.Copy(c.out, log)
	return err
}
