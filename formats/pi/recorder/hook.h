/* SPDX-License-Identifier: Apache-2.0 */
/*
 * With --profile: functions of ours in the tables of PI's plugins, for those that make queues, put commands into them and
 * ask for times. They make the call as it is, unless the recorder's own call of the same thread (thread.h) says that a
 * parameter is another, or that the answer is to be a refusal. The runtime reports copies of its arguments, so that
 * nothing else could change them.
 *
 * The table is changed when the plugin has filled it: libtracetool-pi-threads.so (wrap-init.c) calls
 * tracetool_pi_hook_plugin() then.
 */
#pragma once

#include "formats/pi/recorder/thread.h"

#include <stdbool.h>

/* Whether calls of @function to @plugin pass through ours. */
bool tt_record_is_hooked (void *plugin, const TtPiFunction *function);
