/*
 * The table of `info --names`.
 */
#pragma once

#include "src/report.h"
#include "src/store.h"

/* @rules_path: the extra rules of the import, or NULL. */
TtReport *tt_info_names (TtStore *store, const char *rules_path, GError **error);
