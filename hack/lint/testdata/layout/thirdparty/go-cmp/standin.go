// Package gocmp stands in for the real one.
package gocmp
