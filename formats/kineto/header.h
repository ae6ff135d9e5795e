/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The members of a PyTorch trace beside its events: devices and the job, as metadata of the first process.
 */
#pragma once

#include "formats/trace-event/import.h"

/* Sets import->rank where the job says it and it is not known yet. */
void tt_kineto_header (TtTraceEventImport *import, const TtJsonValue *key, const TtJsonValue *value);
