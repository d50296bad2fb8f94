package submit

import (
	_ "k8s.io/apimachinery"

	_ "github.com/takt-dev/takt/api/v1alpha1"
	_ "github.com/takt-dev/takt/elastic"
	_ "github.com/takt-dev/takt/operator/shorthand"
)
