/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The names of BytePS: of workers ("Comm.byteps.gradient_0.PUSH"), of transfers ("byteps.3_4~PART1.PUSH" between
 * "worker_0" and "server_1") and of servers ("byteps.3_4.SUM"); and key_dict.txt, which keys a tensor has.
 */
#pragma once

#include <glib.h>

typedef struct
{
  char *tensor;       /* "3+4", "byteps.gradient_0" */
  const char *sub_op; /* static: PUSH, SUM ...; NULL: none (the whole of a tensor's communication) */
  guint part;
} TtBytepsName;

void tt_byteps_name_clear (TtBytepsName *name);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TtBytepsName, tt_byteps_name_clear)

/* Of an event of a worker; FALSE: it does not begin with "Comm.". */
gboolean tt_byteps_worker_name (const char *raw, TtBytepsName *name);
/* Of an event of comm_timeline.json or server_timeline.json: "<prefix>.<tensor>[~PARTk].<op>". FALSE: another form. */
gboolean tt_byteps_server_name (const char *raw, TtBytepsName *name);

/* A process "worker_0 -> server_1"; free both. FALSE: it is none. */
gboolean tt_byteps_link (const char *process, char **source, char **target);
/* "worker_<n>", "server_<n>". */
gboolean tt_byteps_is_worker (const char *node);
gboolean tt_byteps_is_server (const char *node);

/* key_dict.txt: for each key "tensor part", as "name: key key ..." says: key -> name (char *) and part. */
typedef struct _TtBytepsKeys TtBytepsKeys;
TtBytepsKeys *tt_byteps_keys_parse (const char *text, gsize len);
/* Beside @path; NULL: there is none that can be read. */
TtBytepsKeys *tt_byteps_keys_beside (const char *path);
void tt_byteps_keys_free (TtBytepsKeys *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtBytepsKeys, tt_byteps_keys_free)
/* *part: of @key in its tensor, -1 if the tensor has only one. FALSE: unknown. */
gboolean tt_byteps_keys_part (const TtBytepsKeys *self, const char *key, int *part);
