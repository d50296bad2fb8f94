#!/bin/bash
# Makes the root of an image with Python and PyTorch of Debian 13 as an archive: build.sh ARCHIVE.
#
# The packages are unpacked and not installed, so nothing of this system changes, and it may be another Debian. apt needs
# no more than the address of a mirror of it, which is the one that this system uses.
set -euo pipefail

archive=$(realpath "$1")
for tool in apt-get dpkg-deb; do
	command -v $tool >/dev/null || { echo "It needs $tool: make the image on a Debian or Ubuntu."; exit 1; }
done
work=$(mktemp -d "$(dirname "$archive")/pytorch-XXXXXX")
trap 'rm -rf "$work"' EXIT

mirror=$(apt-get indextargets --format '$(SITE)' 'Origin: Debian' 'Label: Debian' | sort -u | head -1)
[ -n "$mirror" ] || { echo "No mirror of Debian is among the sources of apt: add one, and run apt-get update."; exit 1; }
mkdir -p "$work"/{state/lists/partial,cache/archives/partial,root}
: >"$work/status" # nothing counts as installed, so that all that is needed is fetched
echo "deb $mirror trixie main" >"$work/sources.list"
apt=(apt-get -qq -o Dir::State="$work/state" -o Dir::State::status="$work/status" -o Dir::Cache="$work/cache"
	-o Dir::Etc::sourcelist="$work/sources.list" -o Dir::Etc::sourceparts=- -o APT::Sandbox::User=root)
"${apt[@]}" update
"${apt[@]}" install --yes --no-install-recommends --download-only python3-torch dash

cd "$work/root"
mkdir -p usr/{bin,sbin,lib,lib64} tmp proc dev sys
chmod 1777 tmp
for merged in bin sbin lib lib64; do ln -s "usr/$merged" "$merged"; done
for package in "$work"/cache/archives/*.deb; do
	case $(basename "$package") in
	# What drives AMD's GPUs comes with what comes with MPI. Nothing loads it where there is no such GPU.
	libllvm* | libamd-comgr* | libamdhip* | libtorch-test* | python3-hypothesis*) continue ;;
	esac
	dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink \
		--exclude='./usr/share/doc*' --exclude=./usr/share/man --exclude=./usr/share/locale --exclude=./usr/share/info \
		--exclude='./usr/lib/*/gconv' --exclude=./usr/share/lintian
done

# Debian builds PyTorch without libuv, which it takes for granted where it does not ask the environment.
distributed=usr/lib/python3/dist-packages/torch/distributed/__init__.py
sed -i 's/^    from .device_mesh import .*/    import functools\n\n    TCPStore.__init__ = functools.partialmethod(TCPStore.__init__, use_libuv=False)\n\n&/' $distributed
grep -q use_libuv=False $distributed

# Installing the packages would have compiled them. Without that, each container would do so at its first import.
PYTHONHOME=usr usr/lib64/ld-linux-x86-64.so.2 --library-path usr/lib/x86_64-linux-gnu usr/bin/python3 -m compileall \
	-q --invalidation-mode unchecked-hash -s "$PWD" -p / usr/lib/python3 usr/lib/python3.13 >/dev/null || true
[ -n "$(find usr/lib/python3/dist-packages/torch/__pycache__ -name '__init__.*.pyc')" ]

# Nothing that it loads may be missing.
libraries=usr/lib/x86_64-linux-gnu
PYTHONHOME=usr PYTHONPATH=usr/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1 usr/lib64/ld-linux-x86-64.so.2 \
	--library-path usr/lib:$libraries:$libraries/blas:$libraries/lapack:$libraries/pmix2/lib usr/bin/python3 -c 'import torch.distributed.run'

tar -c --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -f "$archive.new" .
mv "$archive.new" "$archive"
