/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON in the metadata of a process, element by element.
 */
#pragma once

#include "src/store/query.h"
#include "src/store/store.h"

typedef struct
{
  guint32 process;
  const char *key;  /* "local_graph" */
  const char *path; /* "$.nodes" */
} TtJobMetadata;

/* Each row: key and value of an element. */
gboolean tt_job_metadata_each (const TtJobMetadata *self,
                               TtStore *store,
                               TtQueryRowFunc func,
                               gpointer data,
                               GError **error);
