package price

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// PerHour is what a GPU costs in an hour, by its kind; Others is for all kinds that are not named.
type PerHour map[string]float64

// Others stands for all kinds of GPUs that are not named.
const Others = "*"

// Most is more than a GPU costs in an hour in any currency.
const Most = 1e9

// Of is the price of a kind, if it has one.
func (p PerHour) Of(kind string) (float64, bool) {
	if price, named := p[kind]; named {
		return price, true
	}
	price, named := p[Others]
	return price, named
}

// check says what is wrong with a price; nil if nothing is.
func check(price float64) error {
	if math.IsNaN(price) || price < 0 || price > Most {
		return fmt.Errorf("a price must be a number from 0 to %.0f", Most)
	}
	return nil
}

// Parse reads one price for all kinds, such as 2.50, or one for each, such as A100=2.50,T4=0.40,*=1.
func Parse(text string) (PerHour, error) {
	p := PerHour{}
	for part := range strings.SplitSeq(text, ",") {
		kind, number, named := strings.Cut(strings.TrimSpace(part), "=")
		if !named {
			kind, number = Others, kind
		}
		price, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err == nil {
			err = check(price)
		}
		if err != nil || strings.TrimSpace(kind) == "" {
			return nil, errors.New("it must be a price such as 2.50, or one for each kind of GPU, such as A100=2.50,T4=0.40,*=1")
		}
		kind = strings.TrimSpace(kind)
		if _, twice := p[kind]; twice {
			return nil, fmt.Errorf("%s is there twice: give one price for each kind of GPU", kind)
		}
		p[kind] = price
	}
	return p, nil
}

// String is what Parse reads.
func (p PerHour) String() string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(p)) {
		number := strconv.FormatFloat(p[kind], 'f', -1, 64)
		if kind == Others && len(p) == 1 {
			return number
		}
		parts = append(parts, kind+"="+number)
	}
	return strings.Join(parts, ",")
}
