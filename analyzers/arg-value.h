/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One argument of an event, from its JSON text.
 */
#pragma once

#include <glib.h>

/* The value of the member @name of the object @json: where its text begins, a string with its quote. NULL: there is none. */
const char *tt_arg_value (const char *json, const char *name);
/* How long the text of a string or number is, a string with its quotes; 0: it is neither. */
gsize tt_arg_value_length (const char *value);
