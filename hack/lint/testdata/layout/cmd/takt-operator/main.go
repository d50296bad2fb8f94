package main

import _ "github.com/takt-dev/takt/operator"

func main() {}
