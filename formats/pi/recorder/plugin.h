/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plugins of the runtime: which backend they are, and their tables of functions, read from their structures.
 */
#pragma once

#include "formats/pi/recorder/profile-events.h"
#include "formats/pi/recorder/thread.h"

/* Backend of a plugin, added to the file "plugins" when it is first seen; -1: unknown. */
int tt_record_backend (void *plugin);
/* The version of PI that its structure begins with; false: it is not understood. */
bool tt_record_plugin_version (void *plugin, unsigned *major, unsigned *minor);
/* Its table of functions, and the minor number of its version; NULL: the structure is not understood. */
void **tt_record_plugin_table (void *plugin, unsigned *minor);
/* Its functions of events; NULL: they are not found. */
const TtRecordEvents *tt_record_plugin_events (void *plugin);
/* Waits for @event through the plugin's own table; false: the table is not understood. */
bool tt_record_wait (const TtRecordCall *call, void *event);

void tt_record_plugin_after_fork (void);
