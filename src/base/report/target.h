/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtReportTarget: where a format writes: a text, emptied into a file (if there is one) whenever it is long.
 */
#pragma once

#include <glib.h>
#include <stdio.h>

typedef struct
{
  GString *text;
  FILE *file; /* NULL: all stays in @text */
  gboolean is_cleaned; /* on its way into the file, which is a terminal */
  gboolean failed;
} TtReportTarget;

/* @all: also what is too short to be worth a write. */
void tt_report_target_flush (TtReportTarget *target, gboolean all);
