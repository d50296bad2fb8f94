// Package image makes images of containers from files on this machine. No registry is asked for anything.
//
// An image is an archive in the layout of OCI, as ctr images import takes it: its layers, their configuration, a
// manifest and an index that gives the name. A second manifest tells the same to docker load. The same files always
// make the same archive.
//
// What comes in are files, and the configuration of an image; what goes out is an archive.
package image
