// Package trainingoperator stands in for the real one.
package trainingoperator
