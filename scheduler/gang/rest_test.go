package gang

import (
	"testing"
	"time"
)

// A tenant may change labels of his pods, or make others, as often as he likes. A gang that was tried in vain for long
// is not tried again by that before others have had their time; and then it is, once.
func TestAGangThatChangesAllTheTimeLeavesTimeToOthers(t *testing.T) {
	d := open(t)
	d.record(Record{Pods: 4})
	gang := []Pod{pod(0, 0, 2), pod(1, 0, 2)}
	d.saw(gang...)
	d.want("it is whole", Effects{Wake: []UID{"u0"}})
	d.InVain("u0", 8*time.Second, d.now)
	changed := func() {
		gang[1].Generation++
		d.saw(gang[1])
	}
	changed()
	d.want("it has changed", Effects{})
	d.admits("it was tried a moment ago", gang)
	d.after(8*time.Second - 1)
	changed()
	d.want("it has changed again", Effects{})
	d.after(1)
	d.want("others have had their time", Effects{Wake: []UID{"u0"}})
	d.admits("they have", gang, "u0")
	d.InVain("u0", 0, d.now)
	d.after(time.Minute)
	d.want("nothing has changed", Effects{})
	changed()
	d.want("it has changed after a while", Effects{Wake: []UID{"u0"}})

	d.InVain("u0", time.Second, d.now)
	d.admits("somebody wakes it for the room that was made", gang)
	d.after(time.Second)
	d.want("it is not forgotten", Effects{Wake: []UID{"u0"}})
}

// A gang of which another plugin holds a pod back is not told when that is over. It looks by itself.
func TestAGangThatIsHeldBackIsTriedAgainAfterAWhile(t *testing.T) {
	d, pods := complete(t)
	d.Later("u2", d.now)
	d.admits("somebody tells nevertheless", pods, "u2")
	d.after(d.limits.RetryMost - 1)
	d.want("a moment ago", Effects{})
	d.after(1)
	d.want("a while ago", Effects{Wake: []UID{"u2"}})
	d.admits("a while ago", pods, "u2")
}
