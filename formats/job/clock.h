/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clocks of a job's hosts, aligned by the end of the last Sync that all GPUs have: it ends everywhere at once.
 */
#pragma once

#include "formats/job/import.h"

/* From the Syncs to the shifts of all processes; notes what was done. */
void tt_job_import_align_clocks (TtJobImport *self);
