// Package invariant says what must hold of the objects of Takt at every moment, whatever happens in
// the cluster. Each rule takes an object as it is, and as it was before if it was seen before, and
// returns a sentence for each thing that must never be.
//
// What comes in are objects of the API; what goes out are sentences, none if all holds. It asks nobody.
package invariant
