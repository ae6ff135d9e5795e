/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands below a path: whether it may go by other ranks because their clocks are not known better.
 */
#pragma once

#include "analyzers/path/critical-path.h"

/* *@text: NULL: the path is sure, or is that of a training job. Lines; free it. */
gboolean tt_path_doubt_find (TtStore *store, const TtCriticalPath *path, char **text, GError **error);
