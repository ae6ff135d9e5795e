/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exports that are no single document: TAU's traces and profiles, OTF2's archives. Each opens the run, writes, and says on standard
 * error what it wrote and left out. They return the exit status; -1 with @error: failed.
 */
#pragma once

#include "src/cli/command.h"
#include "src/cli/config-apply.h"
#include "src/cli/export-options.h"

TtStore *tt_export_open_store (const TtContext *context,
                               char **paths,
                               const TtExportSettings *settings,
                               TtConfigSettings *config,
                               GError **error);

/* @words: of the command; where @output is NULL they begin with the names of the outputs. */
int tt_export_write_tau (const TtContext *context,
                         char **words,
                         const char *output,
                         const TtExportSettings *settings,
                         TtConfigSettings *config,
                         GError **error);
int tt_export_write_profile (const TtContext *context,
                             char **paths,
                             const char *folder,
                             const TtExportSettings *settings,
                             TtConfigSettings *config,
                             GError **error);
int tt_export_write_otf2 (const TtContext *context,
                          char **paths,
                          const char *folder,
                          const TtExportSettings *settings,
                          TtConfigSettings *config,
                          GError **error);
