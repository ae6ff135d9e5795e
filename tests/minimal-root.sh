#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Proves ./demo and ./check on a Debian or Ubuntu with nothing on it: makes a minimal root, puts a clone of
# this repository (what is committed) into it and runs both there. Not part of `make check`: needs
# root, mmdebstrap, git and a Debian mirror.
#
#   tests/minimal-root.sh [--keep] [--suite SUITE] [COMMAND...]     default: ./demo && ./check
#
# SUITE is bookworm (the default), trixie, or noble, Ubuntu's of 2024. Without Ubuntu's keyring its packages are taken
# unverified: good for a scratch root that goes away, for nothing else.
set -eu
src=$(cd "$(dirname "$0")/.." && pwd)
suite=bookworm
keep=no
while [ $# -gt 0 ]; do
    case $1 in
    --keep) keep=yes ;;
    --suite) suite=$2 && shift ;;
    *) break ;;
    esac
    shift
done
[ $# -gt 0 ] || set -- './demo && ./check'

scratch=$(mktemp -d)
root=$scratch/root
# shellcheck disable=SC2317
cleanup() {
    umount "$root/proc" 2>/dev/null || true
    umount "$root/dev/pts" 2>/dev/null || true
    umount "$root/dev" 2>/dev/null || true
    if [ "$keep" = yes ]; then
        echo "minimal-root: kept $root"
    else
        rm -rf --one-file-system "$scratch"
    fi
}
trap cleanup EXIT

echo "minimal-root: $suite in $root"
case $suite in
    noble)
        keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg
        if [ -f "$keyring" ]; then trust=signed-by=$keyring; else trust=trusted=yes; fi
        mirror="deb [$trust] http://archive.ubuntu.com/ubuntu $suite main universe"
        ;;
    *) mirror=http://deb.debian.org/debian ;;
esac
mmdebstrap --quiet --variant=minbase --include=apt "$suite" "$root" "$mirror"
cp /etc/resolv.conf "$root/etc/resolv.conf"
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
mount --bind /dev/pts "$root/dev/pts"
git clone --quiet --no-hardlinks "$src" "$root/srv/tracetool"
status=0
chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
    sh -c "cd /srv/tracetool && $*" </dev/null || status=$?
echo "minimal-root: exit status $status"
exit "$status"
