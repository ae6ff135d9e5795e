/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small TAU traces for tests, and what an import makes of them as lines of text.
 *
 * Lines (process/thread as "node0/0", names as raw names):
 *   span node0/0 NAME ts=NS dur=NS self=NS depth=N flags=WORDS
 *   counter node0/0 SERIES ts=NS value=N
 *   metric node0/0 NAME SERIES incl=N excl=N
 *   half send|recv node0/0 peer=node1 tag=N comm=N bytes=N ts=NS in=NAME|- [onesided]
 *   metadata node0/0 KEY=VALUE
 *   source PATH clock=CLOCK repairs=JSON
 */
#pragma once

#include "formats/plan.h"
#include "formats/tau/layout.h"

typedef struct
{
  GPtrArray *lines; /* of char *, in the order written */
  GError *error;    /* of the import; NULL: it went well */
  GPtrArray *notes; /* of char * */
  guint n_names;
} TauResult;

/* Plans and imports; @paths is NULL-ended. */
TauResult *tau_import (const char *const *paths, gboolean is_strict);
void tau_result_free (TauResult *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TauResult, tau_result_free)

/* How many lines begin with @prefix, and the one (the first); NULL: none. */
guint tau_count (const TauResult *self, const char *prefix);
const char *tau_line (const TauResult *self, const char *prefix);
/* Fails the test unless exactly this line is there @n times. */
void tau_assert_line (const TauResult *self, guint n, const char *line);
/* Fails the test unless the import failed with a message that fits the glob @message. */
void tau_assert_fails (const TauResult *self, const char *message);
/* All lines but those of sources, sorted, as one text. Free it. */
char *tau_sorted (const TauResult *self);

/* -- writing traces ---------------------------------------------------------------------------- */

typedef struct
{
  gint64 event;
  guint16 nid, tid;
  gint64 par;
  guint64 ti;
} TauRecord;

void tau_add (GByteArray *bytes, TtTauLayout layout, const TauRecord *records, guint n);
gint64 tau_message (guint16 peer, guint16 tag, guint32 bytes, guint8 comm);

/* A temporary folder for one test. */
typedef struct
{
  char *path;
} TauFolder;

void tau_folder_init (TauFolder *self);
void tau_folder_clear (TauFolder *self); /* removes it with all in it */
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TauFolder, tau_folder_clear)

/* Writes a file there; returns its path, which the folder's user frees. */
char *tau_write (const TauFolder *self, const char *name, const void *bytes, gssize len);
char *
tau_write_records (const TauFolder *self, const char *name, TtTauLayout layout, const TauRecord *records, guint n);

/* Definitions that most tests use: ids 1 main, 2 work, 3 MPI_Send, 4 MPI_Recv, 5 "Bytes", 6 "Bytes : main",
 * 7 metadata "Host | a", 8 and 9 metrics CYC and INS, 10 ... 13 one-sided SEND, RECV, T1, T2, 14 clock
 * offset, 15 of an unknown kind; specials from 60000. */
extern const char tau_edf[];
