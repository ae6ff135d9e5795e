/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Standard names as texts: op_cat.op_name[.sub_op][~>suffix], and UPDATE_CAL, UPDATE_3, OUTPUT0, I/O_0, END.
 */
#pragma once

#include "formats/json/scanner.h"

/* Slices of the text that was split; empty: not there. */
typedef struct
{
  TtSlice op_cat, op_name, sub_op, suffix;
} TtStandardName;

/* FALSE: @text is no standard name. op_cat END is "virtual", which is then no slice of @text. REC becomes RECV
 * likewise. */
gboolean tt_standard_name_split (TtSlice text, TtStandardName *name);
