// Command coredns is CoreDNS with those of its plugins that the names of a cluster need.
//
// It is a module of its own because upstream requires much that these plugins do not need.
package main

import (
	_ "github.com/coredns/coredns/core"
	"github.com/coredns/coredns/coremain"
	_ "github.com/coredns/coredns/plugin/bind"
	_ "github.com/coredns/coredns/plugin/cache"
	_ "github.com/coredns/coredns/plugin/errors"
	_ "github.com/coredns/coredns/plugin/health"
	_ "github.com/coredns/coredns/plugin/kubernetes"
	_ "github.com/coredns/coredns/plugin/ready"
)

func main() { coremain.Run() }
