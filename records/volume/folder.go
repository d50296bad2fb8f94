package volume

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/takt-dev/takt/records"
)

// ofMonth are how much is kept of the jobs of one namespace that ended in one month.
var ofMonth = records.Limits{Count: 50_000, Bytes: 16 << 20}

// block is what the smallest file takes on a disk.
const block = 4096

// suffix ends the name of each file; what is written and not yet in its place has another.
const suffix = ".jsonl.gz"

// Folder keeps records in files NAMESPACE/YEAR-MONTH.jsonl.gz.
type Folder struct {
	Path string
	Most int64 // bytes of all files
}

// There says whether there is such a folder: one that nobody has mounted is not made.
func (f Folder) There() bool {
	is, err := os.Stat(f.Path)
	return f.Path != "" && err == nil && is.IsDir()
}

// Add adds records to those of a namespace. To add them twice does no harm.
func (f Folder) Add(namespace string, more []records.Record) error {
	if !filepath.IsLocal(namespace) || strings.ContainsAny(namespace, `/\.`) {
		return fmt.Errorf("%q is no namespace", namespace)
	}
	months := map[string][]records.Record{}
	for _, r := range more {
		month := r.Ended.UTC().Format("2006-01")
		months[month] = append(months[month], r)
	}
	for _, month := range slices.Sorted(maps.Keys(months)) {
		if err := f.addTo(filepath.Join(f.Path, namespace, month+suffix), months[month]); err != nil {
			return fmt.Errorf("keeping the records of namespace %s in %s: %w", namespace, f.Path, err)
		}
	}
	return f.makeRoom()
}

func (f Folder) addTo(path string, more []records.Record) error {
	packed, err := os.ReadFile(filepath.Clean(path))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	kept, _ := records.Decode(packed)
	_, text, err := records.Merge(kept, more, ofMonth)
	if err != nil || text == nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	return replace(path, text)
}

// replace puts a text in the place of a file, which is there as a whole at any moment.
func replace(path string, text []byte) error {
	file, err := os.OpenFile(filepath.Clean(path+".new"), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o640)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}

// file is one of the files.
type file struct {
	path, namespace, month string
	bytes                  int64 // that it takes on a disk
}

func (f Folder) files() (all []file, err error) {
	paths, err := filepath.Glob(filepath.Join(f.Path, "*", "*"+suffix))
	for _, path := range paths {
		is, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case is.Mode().IsRegular():
			all = append(all, file{path, filepath.Base(filepath.Dir(path)), strings.TrimSuffix(filepath.Base(path), suffix),
				(is.Size() + block - 1) / block * block})
		}
	}
	slices.SortFunc(all, func(a, b file) int {
		return cmp.Or(cmp.Compare(a.month, b.month), cmp.Compare(a.namespace, b.namespace))
	})
	return all, err
}

// makeRoom removes files while there are more bytes than there may be: the oldest month of the namespace that has most,
// so that nobody can push out what is kept of others.
func (f Folder) makeRoom() error {
	all, err := f.files()
	if err != nil {
		return err
	}
	has, sum := map[string]int64{}, int64(0)
	for _, file := range all {
		has[file.namespace] += file.bytes
		sum += file.bytes
	}
	for sum > f.Most {
		most := slices.MaxFunc(all, func(a, b file) int { return cmp.Compare(has[a.namespace], has[b.namespace]) }).namespace
		oldest := slices.IndexFunc(all, func(one file) bool { return one.namespace == most })
		goes := all[oldest]
		if err := os.Remove(goes.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		_ = os.Remove(filepath.Dir(goes.path)) // which stays if there is more in it
		all = slices.Delete(all, oldest, oldest+1)
		has[most], sum = has[most]-goes.bytes, sum-goes.bytes
	}
	return nil
}

// Read reads the records that ended since a moment, the oldest months first, and says how many make no sense. It keeps
// those that are wanted.
func Read(path string, since time.Time, wanted func(records.Record) bool) (all []records.Record, bad int, err error) {
	files, err := Folder{Path: path}.files()
	if err != nil {
		return nil, 0, err
	}
	for _, file := range files {
		if file.month < since.UTC().Format("2006-01") {
			continue
		}
		packed, err := os.ReadFile(file.path)
		if err != nil {
			return nil, 0, err
		}
		of, wrong := records.Decode(packed)
		of = slices.DeleteFunc(of, func(r records.Record) bool { return r.Ended.Before(since) || !wanted(r) })
		all, bad = append(all, of...), bad+wrong
	}
	return all, bad, nil
}
