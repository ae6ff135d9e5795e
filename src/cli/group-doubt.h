/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How sure it is who takes part in collectives, where the source does not say.
 */
#pragma once

#include "src/store/store.h"

/* *@text: "31 of 712 calls could as well be of another communicator"; NULL: no call of the run could. Free it. */
gboolean tt_group_doubt_text (TtStore *store, char **text, GError **error);
