# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# For tests that need the host: its paths, and skipping without it.
# shellcheck disable=SC2034
program=$BUILDDIR/tests/pi-host/program
plugin=$BUILDDIR/tests/pi-host/.libs/libpi_opencl.so
LD_LIBRARY_PATH=$BUILDDIR/tests/pi-host/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

pi_host() { # ARGUMENT... : the program without any recorder
    "$program" "$@"
}

if [ ! -e "$BUILDDIR/tests/pi-host/.libs/libxptifw.so" ] || ! command -v python3 >/dev/null 2>&1; then
    echo '1..0 # SKIP there is no C++ compiler or no Python here'
    exit 0
fi
