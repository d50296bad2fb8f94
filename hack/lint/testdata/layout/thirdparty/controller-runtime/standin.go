// Package controllerruntime stands in for the real one.
package controllerruntime
