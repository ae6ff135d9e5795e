/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtTauName: what stands in the name of a TAU function: "caller => func(args) type [{file} {l,c}-{l,c}]".
 *
 * op is the function with its arguments, without callers, type and location. Zeroed it is empty and
 * can be used again and again.
 */
#pragma once

#include <glib.h>

typedef struct
{
  GString *op;
  GString *file; /* empty: none */
  gint64 line;   /* 0: none */
} TtTauName;

void tt_tau_name_split (TtTauName *self, const char *name);
void tt_tau_name_clear (TtTauName *self);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtTauName, tt_tau_name_clear)
