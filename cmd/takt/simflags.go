package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/takt-dev/takt/cli/usage"
	"github.com/takt-dev/takt/price"
	"github.com/takt-dev/takt/simulator/policies"
)

// policyList is the value of --policy.
type policyList []string

// Set is called with what the user gave.
func (l *policyList) Set(text string) error {
	list := strings.Split(text, ",")
	if text == "all" {
		list = policies.Names()
	}
	for i, name := range list {
		list[i] = strings.TrimSpace(name)
		if _, err := policies.New(list[i]); err != nil {
			return fmt.Errorf("%w, or all", err)
		}
		if slices.Contains(list[:i], list[i]) {
			return fmt.Errorf("%s is there twice: name each policy once", list[i])
		}
	}
	*l = list
	return nil
}

func (l *policyList) String() string { return strings.Join(*l, ",") }

// Type is what the help shows after the name of the flag.
func (l *policyList) Type() string { return "names" }

// sizeList is the value of --gpus: the sizes of cluster that are compared.
type sizeList []int

// Set is called with what the user gave.
func (l *sizeList) Set(text string) error {
	var list []int
	for part := range strings.SplitSeq(text, ",") {
		var size int
		if err := usage.Positive(&size).Set(strings.TrimSpace(part)); err != nil {
			return fmt.Errorf("%w, or several, such as 64,96,128", err)
		}
		if slices.Contains(list, size) {
			return fmt.Errorf("%d is there twice: name each size once", size)
		}
		list = append(list, size)
	}
	*l = list
	return nil
}

func (l *sizeList) String() string {
	var parts []string
	for _, size := range *l {
		parts = append(parts, strconv.Itoa(size))
	}
	return strings.Join(parts, ",")
}

// Type is what the help shows after the name of the flag.
func (l *sizeList) Type() string { return "numbers" }

// prices are the value of --price.
type prices struct{ price.PerHour }

// Set is called with what the user gave.
func (p *prices) Set(text string) (err error) {
	p.PerHour, err = price.Parse(text)
	return err
}

// Type is what the help shows after the name of the flag.
func (p *prices) Type() string { return "price" }
