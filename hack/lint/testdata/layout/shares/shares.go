package shares

import _ "github.com/takt-dev/takt/records" // want depguard "from list shares"
