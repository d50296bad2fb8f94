package v1alpha1

import (
	"math"
	"strconv"
)

// Amount is an amount of money, as a number with two decimals such as 12.40.
//
// +kubebuilder:validation:MaxLength=32
type Amount string

// NewAmount is an amount; absent if it is no number or too great.
func NewAmount(amount float64) Amount {
	const most = 1e15
	if math.IsNaN(amount) || math.Abs(amount) > most {
		return ""
	}
	return Amount(strconv.FormatFloat(amount, 'f', 2, 64))
}

// Float reads the amount; false if there is none.
func (a Amount) Float() (float64, bool) {
	amount, err := strconv.ParseFloat(string(a), 64)
	return amount, err == nil
}
