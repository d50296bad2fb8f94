package planning

import "time"

// present is the moment that the tests inside this package begin at.
var present = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
