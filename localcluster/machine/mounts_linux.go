package machine

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// mountAll gives the node its own view of the file system: that of the system, but for what a node has for itself.
func mountAll(spec Spec, hierarchies []hierarchy) error {
	// What is mounted in the node is not seen outside, and what kubelet mounts is seen in pods that ask for it.
	for _, how := range []uintptr{unix.MS_SLAVE, unix.MS_SHARED} {
		if err := unix.Mount("", "/", "", how|unix.MS_REC, ""); err != nil {
			return fmt.Errorf("cannot have mounts of its own: %w", err)
		}
	}
	for own, place := range map[string]string{"lib": "/var/lib", "log": "/var/log"} {
		if err := bind(filepath.Join(spec.Folder, own), place); err != nil {
			return err
		}
	}
	for place, kind := range map[string]string{"/run": "tmpfs", "/proc": "proc", "/sys": "sysfs"} {
		if err := mount(kind, place, kind, ""); err != nil {
			return err
		}
	}
	if err := mountCgroups(hierarchies); err != nil {
		return err
	}
	return shadowSettings(filepath.Join(spec.Folder, "settings"))
}

// shadowSettings lets kubelet find the settings of the kernel as it wants them. Else it would set them, and they
// are those of the whole system.
func shadowSettings(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for name, value := range map[string]string{
		"vm/overcommit_memory": "1", "vm/panic_on_oom": "0", "kernel/panic": "10", "kernel/panic_on_oops": "1",
		"kernel/keys/root_maxkeys": "1000000", "kernel/keys/root_maxbytes": "25000000",
	} {
		file := filepath.Join(folder, strings.ReplaceAll(name, "/", "."))
		if err := os.WriteFile(file, []byte(value+"\n"), 0o600); err != nil {
			return err
		}
		if err := bind(file, "/proc/sys/"+name); err != nil {
			return err
		}
	}
	return nil
}

func bind(from, to string) error {
	if err := unix.Mount(from, to, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("cannot mount %s at %s: %w", from, to, err)
	}
	return nil
}

func mount(what, where, kind, options string) error {
	if err := unix.Mount(what, where, kind, unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, options); err != nil {
		return fmt.Errorf("cannot mount %s at %s: %w", what, where, err)
	}
	return nil
}
