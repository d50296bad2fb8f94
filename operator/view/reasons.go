package view

import "github.com/takt-dev/takt/elastic/yield"

// Reasons of conditions that others than the reporter go by.
const (
	ReasonPromised = "Promised"
	// ReasonMisspelt is of what is written on a job and cannot be used.
	ReasonMisspelt = yield.InvalidShorthand
)

// WithdrawnAnnotation on a Resize says in a sentence why it is to be given up.
const WithdrawnAnnotation = "takt.dev/withdrawn"
