//go:build !linux

package localcluster

import (
	"errors"
	"os/exec"
)

var errNotLinux = errors.New("real nodes need Linux")

func startApart(*exec.Cmd) error       { return errNotLinux }
func startInside(*exec.Cmd, int) error { return errNotLinux }
func removeCgroups(string) error       { return nil }
