// Command probe is what runs in the pods of the tests on real nodes.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return serve()
	}
	switch args[0] {
	case "get": // what another pod answers
		client := http.Client{Timeout: 5 * time.Second}
		response, err := client.Get(args[1])
		if err != nil {
			return err
		}
		defer response.Body.Close()
		_, err = io.Copy(os.Stdout, response.Body)
		return err
	case "lookup": // the addresses of a name
		addresses, err := net.LookupHost(args[1])
		slices.Sort(addresses)
		fmt.Println(strings.Join(addresses, " "))
		return err
	case "env":
		fmt.Println(os.Getenv(args[1]))
	}
	return nil
}

// serve answers each request with the name of the pod, until the pod is to end.
func serve() error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	fmt.Printf("I am %s.\n", host)
	go func() {
		stop := make(chan os.Signal, 1)
		signal.Notify(stop, syscall.SIGTERM)
		<-stop
		os.Exit(0)
	}()
	return http.ListenAndServe(":8080", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, host)
	}))
}
