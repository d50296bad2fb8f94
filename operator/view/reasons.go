package view

// Reasons of conditions that others than the reporter go by.
const (
	ReasonPromised = "Promised"
	// ReasonMisspelt is of what is written on a job and cannot be used.
	ReasonMisspelt = "InvalidShorthand"
)

// WithdrawnAnnotation on a Resize says in a sentence why it is to be given up.
const WithdrawnAnnotation = "takt.dev/withdrawn"
