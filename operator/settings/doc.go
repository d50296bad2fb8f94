// Package settings is what the owner of a cluster may choose about the operator. config/manager/takt.yaml has every
// setting with its default.
//
// What comes in is one file; what goes out are settings that the whole operator can work with, or all that is wrong
// with them.
package settings
