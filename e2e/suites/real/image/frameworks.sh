#!/bin/bash
# Adds to the image with PyTorch what PyPI has of Hugging Face, Lightning and TensorFlow with Keras: frameworks.sh PYTORCH ARCHIVE.
#
# The Python of the image itself installs them, in its own root, so that they fit it: this needs root. TensorFlow has
# versions of its own of what it needs, and so a folder of its own, which PYTHONPATH names to those who want it.
set -euo pipefail

pytorch=$(realpath "$1") archive=$(realpath "$2")
work=$(mktemp -d "$(dirname "$archive")/frameworks-XXXXXX")
trap 'umount -q "$work/root/proc" "$work/root/dev" || true; rm -rf --one-file-system "$work"' EXIT

mkdir "$work/root" "$work/wheels"
tar -x -C "$work/root" -f "$pytorch"
python3 -m pip download --quiet --no-deps --dest "$work/wheels" pip
mv "$work"/wheels/pip-*.whl "$work/root/tmp/pip.whl"

# What pip is to bring in a newer version, Debian has installed in a way that pip cannot undo. The newer is found first.
rm -rf "$work"/root/usr/lib/python3/dist-packages/{typing_extensions,sympy,setuptools,idna}-*-info

# It reaches PyPI as this machine does.
mkdir -p "$work/root/etc/ssl/certs" "$work/root/root"
for file in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/ssl/certs/ca-certificates.crt; do
	[ ! -e $file ] || cp -L $file "$work/root$file"
done
mount --bind /dev "$work/root/dev"
mount -t proc proc "$work/root/proc"
libraries=/usr/lib/x86_64-linux-gnu
inside() { env -u PIP_FIND_LINKS -u PYTHONPATH HOME=/root LD_LIBRARY_PATH=$libraries/blas:$libraries/lapack chroot "$work/root" python3 "$@"; }
install=(/tmp/pip.whl/pip install --quiet --no-compile --no-cache-dir --root-user-action=ignore --break-system-packages)
inside "${install[@]}" --prefix /usr/local transformers accelerate lightning
inside "${install[@]}" --target /opt/tensorflow --ignore-installed tensorflow-cpu tf-keras

# Debian's Python looks for what is installed beside it under another name than pip gives it.
mv "$work"/root/usr/local/lib/python3.13/{site,dist}-packages
# Each container would compile them at its first import.
inside -m compileall -q --invalidation-mode unchecked-hash /usr/local/lib/python3.13/dist-packages /opt/tensorflow >/dev/null || true
inside -c 'import accelerate, lightning, transformers; transformers.Trainer'

umount "$work/root/proc" "$work/root/dev"
rm -rf "$work"/root/{etc,root,tmp}/*
tar -c --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C "$work/root" -f "$archive.new" .
mv "$archive.new" "$archive"
