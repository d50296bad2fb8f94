package view

import _ "github.com/takt-dev/takt/operator/profiles" // want depguard "decides nothing and writes nothing"
