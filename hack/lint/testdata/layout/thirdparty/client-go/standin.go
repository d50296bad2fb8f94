// Package clientgo stands in for the real one.
package clientgo
