package image

import (
	"archive/tar"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// writeLayer writes all files of the image as they are on disk, but for their dates and their owner, who is root.
func (i Image) writeLayer(to io.Writer) error {
	layer := tar.NewWriter(to)
	if i.Root != "" {
		err := filepath.WalkDir(i.Root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, err := filepath.Rel(i.Root, path)
			if err != nil || name == "." {
				return err
			}
			return addFile(layer, path, name)
		})
		if err != nil {
			return err
		}
	}
	for _, binary := range i.Binaries {
		// A name may be a link to where the program is.
		path, err := filepath.EvalSymlinks(binary)
		if err != nil {
			return err
		}
		if err := addFile(layer, path, filepath.Base(binary)); err != nil {
			return err
		}
	}
	return layer.Close()
}

func addFile(layer *tar.Writer, path, name string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	target := ""
	switch mode := info.Mode(); {
	case mode&fs.ModeSymlink != 0:
		if target, err = os.Readlink(path); err != nil {
			return err
		}
	case !mode.IsDir() && !mode.IsRegular():
		return fmt.Errorf("%s is no file, folder or link, and cannot be in an image", path)
	}
	header, err := tar.FileInfoHeader(info, target)
	if err != nil {
		return err
	}
	header.Name = filepath.ToSlash(name)
	header.Uid, header.Gid, header.Uname, header.Gname = 0, 0, "", ""
	header.ModTime, header.AccessTime, header.ChangeTime = time.Unix(0, 0), time.Time{}, time.Time{}
	if err := layer.WriteHeader(header); err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return nil
	}
	content, err := os.Open(path)
	if err != nil {
		return err
	}
	defer content.Close()
	_, err = io.Copy(layer, content)
	return err
}
