#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No test of a script passes with a dead program (dead-program-lib.sh): those that take longest; only with TEST_LONG=1, as .ci/run
# sets it.
. "$SRCDIR/tests/cli/dead-program-lib.sh"

if [ "${TEST_LONG:-0}" != 1 ]; then
    echo '1..0 # SKIP takes minutes, see TEST_LONG'
    exit 0
fi
judge_share longest
finish
