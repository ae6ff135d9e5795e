/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtOpMapping: other names for operations, so that two programs that call the same thing differently can be compared.
 *
 * A rule is OLD=NEW. OLD is a pattern of the whole name: * any text, ? any byte (also for a = in a name, for OLD ends
 * at the first one). With a * in NEW too, of which OLD then has one, it stands for what the * of OLD fits. The first
 * rule that fits a name renames it; rules are not applied to their results.
 */
#pragma once

#include <glib.h>

typedef struct _TtOpMapping TtOpMapping;

TtOpMapping *tt_op_mapping_new (void);
void tt_op_mapping_free (TtOpMapping *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtOpMapping, tt_op_mapping_free)

/* An error quotes the rule. */
gboolean tt_op_mapping_add (TtOpMapping *self, const char *rule, GError **error);
/* A rule a line; empty lines and lines that begin with # are none. At most 16 MiB. An error names file and line. */
gboolean tt_op_mapping_add_file (TtOpMapping *self, const char *path, GError **error);
/* Names first lose what stands between < and >: kernels that differ in it only are one operation. */
void tt_op_mapping_ignore_template_arguments (TtOpMapping *self);

/* The name to use. Free it. */
char *tt_op_mapping_apply (const TtOpMapping *self, const char *name);
