/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `info --check` finds.
 */
#pragma once

#include "src/base/report/fields.h"

/* Checks the database @path, which users know as @name, and shows what was found. FALSE with @error: it is not whole, or
 * there was no looking. */
gboolean tt_info_check (const char *path, const char *name, const TtReportView *view, GError **error);
