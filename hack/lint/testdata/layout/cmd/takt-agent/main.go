package main

import (
	_ "net/http"

	_ "github.com/takt-dev/takt/agent"
	_ "github.com/takt-dev/takt/elastic" // want depguard "from list agent"
	_ "k8s.io/client-go"                 // want depguard "from list agent"
)

func main() {}
