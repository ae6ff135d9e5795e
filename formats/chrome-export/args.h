/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments of the source in the file: a strict scanner copies them only if they are JSON.
 */
#pragma once

#include "src/base/output.h"

/* Writes the members of the JSON object @args, each with a comma before it, except those that are not JSON or come a
 * second time. Numbers and escapes that viewers read wrong are written in another form. Those that have a name of ours (own-args.h) get a prefix. */
void tt_chrome_args (TtOutput *out, const char *args, gsize len);
