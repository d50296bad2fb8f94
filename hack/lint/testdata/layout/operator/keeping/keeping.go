package keeping

// A room that nobody has named in the rules is no exception.
import _ "github.com/takt-dev/takt/operator/newroom" // want depguard "joined by the wiring alone"
