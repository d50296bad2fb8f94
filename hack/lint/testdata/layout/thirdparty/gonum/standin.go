// Package gonum stands in for the real one.
package gonum
