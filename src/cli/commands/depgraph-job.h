/*
 * `depgraph --level job`, and graphs from files: where the graph comes from that `depgraph` draws.
 */
#pragma once

#include "analyzers/training-job/trail.h"
#include "src/base/output.h"

/* "traced", "clipped", "dpro". */
gboolean tt_recv_rule_parse (const char *text, TtRecvRule *rule, GError **error);

/* Of the selected run; says what is missing and what that means. */
TtTrainingJob *tt_depgraph_job (TtStore *store, const TtTrainingJobOptions *options, GError **error);
/* A file as `--format trail` writes it, or any GML with labels; says what makes no sense in it. */
TtTrail *tt_depgraph_read (const char *path, GError **error);
/* Nodes (guint32) that @text names: a label, a name, or a part of one name only. NULL with @error. */
GArray *tt_depgraph_find (const TtGraph *graph, const char *text, GError **error);
