package coretime

import _ "github.com/takt-dev/takt/elastic"
