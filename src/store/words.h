/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The words that stand in a database for numbers of ours: flag_row, message_flag_row, role_row.
 *
 * NULL: the number has none. The texts are never freed.
 */
#pragma once

#include <glib.h>

#include "src/store/schema.h"

const char *tt_word_of_flags (gint64 id);
const char *tt_word_of_message_flags (gint64 id);
const char *tt_word_of_role (gint64 id);
