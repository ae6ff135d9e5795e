/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtXprofOperators: TensorFlow's operators among the spans of the host, as the argument `long_name` tells them:
 * "name:Type" for a node of a graph, "Iterator::Model::BatchV2" for a stage of tf.data. The rule is that of
 * ParseTfOpFullname() in xla/tsl/profiler/utils/tf_op_utils.cc.
 *
 * The name of the node is the raw name, its type ("Dataset" for tf.data) the group: TensorFlow's own table of operators
 * is the sum by these two. Stages of tf.data and operators that read or write files are I/O, PyFunc is COMP, for no
 * framework knows what it does, collectives are Comm; what else there is is FW, BW or UPDATE_ by the name of the node.
 */
#pragma once

#include "formats/trace-event/import.h"

typedef struct _TtXprofOperators TtXprofOperators;

/* @import: borrowed. */
TtXprofOperators *tt_xprof_operators_new (TtTraceEventImport *import);
void tt_xprof_operators_free (TtXprofOperators *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtXprofOperators, tt_xprof_operators_free)

/* The name of a span of the host; TT_NO_ID: it is no operator. */
guint32 tt_xprof_operators_name (TtXprofOperators *self, const TtTraceEvent *event);
