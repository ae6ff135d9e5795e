/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arguments that exports of tracetool add to those of an event. Members of the source with such names get
 * TT_OWN_ARG_PREFIX before them (again, if they have it), so that a later import can distinguish them.
 */
#pragma once

#include <glib.h>

#define TT_OWN_ARG_PREFIX "source_"

/* Whether @key, which may begin with prefixes, is one of these. */
gboolean tt_is_own_arg (const char *key, gsize len);
