/* Private to reader.c and fields.c: what they share of libbabeltrace2. */
#pragma once

#include "formats/ctf/event.h"

#include <babeltrace2/babeltrace.h>

/* @names: of all classes of the trace; borrowed. */
TtCtfClass *tt_ctf_class_new (const bt_event_class *event_class, GHashTable *names);
void tt_ctf_class_free (gpointer klass);
