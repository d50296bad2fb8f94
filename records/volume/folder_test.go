package volume

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/takt-dev/takt/records"
)

var november = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

func job(uid string, ended time.Time) records.Record {
	return records.Record{UID: uid, Namespace: "team", Name: uid, Ended: ended, Outcome: records.Succeeded}
}

func anyJob(records.Record) bool { return true }

func add(t *testing.T, f Folder, namespace string, more ...records.Record) {
	t.Helper()
	if err := f.Add(namespace, more); err != nil {
		t.Fatal(err)
	}
}

// uids are those that are read of a folder.
func uids(t *testing.T, f Folder, since time.Time) (uids []string) {
	t.Helper()
	all, bad, err := Read(f.Path, since, anyJob)
	if err != nil || bad > 0 {
		t.Errorf("%v, %d are bad", err, bad)
	}
	for _, r := range all {
		uids = append(uids, r.UID)
	}
	return uids
}

func TestRecordsStayByMonth(t *testing.T) {
	f := Folder{Path: t.TempDir(), Most: 1 << 20}
	add(t, f, "team", job("b", november), job("a", november.AddDate(0, -1, 0)))
	add(t, f, "team", job("b", november), job("c", november.Add(time.Hour)))
	add(t, f, "another", job("d", november))
	if got := uids(t, f, time.Time{}); !slices.Equal(got, []string{"a", "d", "b", "c"}) {
		t.Errorf("it keeps %v", got)
	}
	if got := uids(t, f, november.Add(time.Minute)); !slices.Equal(got, []string{"c"}) {
		t.Errorf("lately there were %v", got)
	}
	if _, err := os.Stat(filepath.Join(f.Path, "team", "2026-10.jsonl.gz")); err != nil {
		t.Error(err)
	}
}

// Who dies while a file is written leaves the one that was there, and the next one goes on.
func TestAFileIsThereAsAWhole(t *testing.T) {
	f := Folder{Path: t.TempDir(), Most: 1 << 20}
	add(t, f, "team", job("a", november))
	half := filepath.Join(f.Path, "team", "2026-11.jsonl.gz.new")
	if err := os.WriteFile(half, []byte("half of it"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := uids(t, f, time.Time{}); !slices.Equal(got, []string{"a"}) {
		t.Errorf("it reads %v", got)
	}
	add(t, f, "team", job("b", november))
	if got := uids(t, f, time.Time{}); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("then it reads %v", got)
	}
	if _, err := os.Stat(half); err == nil {
		t.Error("half a file is left")
	}
}

// Where there is no room, the oldest of the namespace that has most goes, so that nobody pushes out another.
func TestWhoHasMostMakesRoom(t *testing.T) {
	f := Folder{Path: t.TempDir(), Most: 1 << 20}
	for month := range 6 {
		add(t, f, "loud", job("l", november.AddDate(0, -month, 0)))
	}
	add(t, f, "quiet", job("q", november.AddDate(0, -9, 0)))
	files, err := f.files()
	if err != nil || len(files) != 7 {
		t.Fatalf("%v, %v", err, files)
	}
	f.Most = 3 * files[0].bytes
	add(t, f, "loud", job("last", november))
	files, err = f.files()
	if err != nil {
		t.Fatal(err)
	}
	sum, quiet, newest := int64(0), false, false
	for _, file := range files {
		sum += file.bytes
		quiet = quiet || file.namespace == "quiet"
		newest = newest || file.namespace == "loud" && file.month == "2026-11"
	}
	if sum > f.Most || !quiet || !newest {
		t.Errorf("%v are left", files)
	}
}

func TestWhatCannotBeWrittenIsSaid(t *testing.T) {
	f := Folder{Path: t.TempDir(), Most: 1 << 20}
	if f.There() != true || (Folder{}).There() || (Folder{Path: filepath.Join(f.Path, "none")}).There() {
		t.Error("it is not said whether it is there")
	}
	for _, namespace := range []string{"..", "a/b", ""} {
		if err := f.Add(namespace, []records.Record{job("a", november)}); err == nil {
			t.Errorf("%q is taken for a namespace", namespace)
		}
	}
	if err := os.WriteFile(filepath.Join(f.Path, "team"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Add("team", []records.Record{job("a", november)}); err == nil {
		t.Error("it is written where a file is in the way")
	}
	if all, bad, err := Read(f.Path, time.Time{}, anyJob); err != nil || bad > 0 || len(all) > 0 {
		t.Errorf("%v, %d, %v", all, bad, err)
	}
}

// Namespaces come and go, such as those of a CI: what is left of those whose records went is nothing, and a file counts
// as what it takes on a disk, so that there are never so many that each further record takes long.
func TestNothingIsLeftOfNamespacesWhoseRecordsWent(t *testing.T) {
	const most = 20
	f := Folder{Path: t.TempDir(), Most: most * block}
	for i := range 3 * most {
		add(t, f, fmt.Sprintf("ci-%d", i), job(fmt.Sprint("uid-", i), november.Add(time.Duration(i)*time.Minute)))
	}
	files, err := f.files()
	folders, wrong := os.ReadDir(f.Path)
	if err != nil || wrong != nil || len(files) > most || len(folders) != len(files) {
		t.Errorf("%d files and %d folders are left, want %d at most, %v, %v", len(files), len(folders), most, err, wrong)
	}
}
