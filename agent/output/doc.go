// Package output passes on what a training writes, byte for byte, and looks at copies of it beside.
//
// What comes in are the bytes that a training writes; what goes out are the same bytes, where they would have gone, and
// beside that its lines, for whoever looks at them. Where these come too fast, some are left out; the bytes never are.
package output
