// Package apimachinery stands in for the real one.
package apimachinery
