/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callbacks for a TAU trace that print a line each:
 *
 *   CLK PERIOD                    THREAD NODE THREAD NAME       GROUP TOKEN NAME
 *   STATE TOKEN GROUP NAME        UEVENT TOKEN IS-MONOTONIC NAME
 *   ENTER|LEAVE TIME NODE THREAD TOKEN                          TRIG TIME NODE THREAD TOKEN VALUE
 *   SEND|RECV TIME NODE THREAD NODE THREAD size=BYTES tag=TAG comm=COMM
 *   END NODE THREAD
 *
 * Numbers are printed with all their digits. tests/oracles/tau-callbacks.py prints the same from the files.
 */
#pragma once

#include "formats/tau/TAU_tf.h"

#include <stdio.h>

/* @out must stay open as long as the callbacks are used. */
Ttf_CallbacksT tau_print_callbacks (FILE *out);
