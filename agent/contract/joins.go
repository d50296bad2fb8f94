package contract

import "encoding/json"

// Joins says of the worker with some number whether others train already that it is to join, by the GangAnnotation of a
// pod of its epoch: it has come with a growth. One that replaces a worker in the meantime has a lower number, and the
// others may wait for it. Where nobody can tell, it joins nobody.
func Joins(gang string, epoch int64, index int) bool {
	var came struct {
		Epoch int64 `json:"epoch"`
		First int   `json:"first"`
	}
	return json.Unmarshal([]byte(gang), &came) == nil && came.Epoch == epoch && came.First > 0 && index >= came.First
}
