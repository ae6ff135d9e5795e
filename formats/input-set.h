/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtInputSet: the files that are one input of an importer.
 *
 * The planner (plan.c) asks a format to sort files into sets, and hands each set to its importer.
 */
#pragma once

#include <glib.h>

typedef struct
{
  GPtrArray *paths;  /* of char *, owned; paths[0] names the set in messages */
  char *root;        /* the directory that was claimed whole, or NULL */
  GPtrArray *joined; /* of char *, owned: further such directories that are read with it (TtFormat.joins) */
  GError *fault;     /* NULL; else why it cannot be read at all */
  gint64 last_rank;  /* the highest one that the names of the files of the import give, or -1 */
} TtInputSet;

TtInputSet *tt_input_set_new (void);
void tt_input_set_free (TtInputSet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtInputSet, tt_input_set_free)

/* For TtFormat.group: every file is an input of its own. */
gboolean
tt_group_by_file (GPtrArray *paths, gboolean from_directory, GPtrArray *inputs, GPtrArray *notes, GError **error);
