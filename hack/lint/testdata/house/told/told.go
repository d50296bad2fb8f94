package told

import _ "github.com/takt-dev/takt/operator/wording" // want depguard "from list told" depguard "nothing imports the operator"
