package main

import (
	"bytes"
	"errors"
	"testing"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// A connection that was closed a moment too early would else be told in the log's own words, beside the answer.
func TestErrorsThatNobodyCanBeGivenAreLeftUnsaid(t *testing.T) {
	handlers, written := utilruntime.ErrorHandlers, bytes.Buffer{}
	klog.LogToStderr(false)
	klog.SetOutput(&written)
	t.Cleanup(func() {
		utilruntime.ErrorHandlers = handlers
		klog.LogToStderr(true)
	})
	leaveUnsaid()
	utilruntime.HandleErrorWithLogger(klog.Background(), errors.New("EOF"), "Error copying")
	klog.Flush()
	if written.Len() > 0 {
		t.Errorf("it writes %q", written.String())
	}
}
