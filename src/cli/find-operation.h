/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operation that a user names.
 */
#pragma once

#include "src/store/store.h"

/* By name, whether it is asked for by @text: a name, op_name or raw name, else the only name that the text is a part of.
 * Names with the same text are one. NULL with @error, which has the nearest names. Free it. */
guint8 *tt_find_operation (TtStore *store, const char *text, GError **error);
