/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trail_dag.gml, the file in which the original analyzer keeps a job's dependency graph: nodes with label, avg (ms),
 * gaps such as operatorGAPoperator (us) and cnt (samples of gaps), edges with source and target.
 *
 * Numbers are written in the fewest digits that read back as the same number; what was read is written as the same
 * bytes.
 */
#pragma once

#include "formats/model/gml.h"
#include "graphs/step-graph/trail.h"
#include "src/base/output.h"

void tt_trail_gml_write (const TtTrail *trail, TtOutput *out);
/* Attributes other than these are passed over, with those whose value is no number. @repairs counts rows that make no
 * sense. */
TtTrail *tt_trail_gml_read (TtInput *input, TtRepairs *repairs, GError **error);
