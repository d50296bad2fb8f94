package main

import _ "k8s.io/kubernetes"

func main() {}
