// Package kubernetes stands in for the real one.
package kubernetes
