/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What ranks say to each other: kinds of messages, waiting without taking a processor, reports of what became of a rank.
 */
#pragma once

#include <glib.h>

enum
{
  TT_TAG_ORDER = 1,
  TT_TAG_REPORT,
  TT_TAG_ASK,
  TT_TAG_TURN,
  TT_TAG_SLICE,
  TT_TAG_GIVE,
  TT_TAG_TELL,
  TT_TAG_EXCHANGE,
};

#define TT_MPI_SLEEP_US 2000 /* MPI waits by asking again and again, which takes a processor from who works */

typedef struct
{
  gint64 status, n_turns, text_len;
} TtReportHead;

/* One at a time is in MPI: MPI_THREAD_SERIALIZED. */
void tt_mpi_enter (void);
void tt_mpi_leave (void);

/* Sleeps a little, longer each time. @n: 0 at first. */
void tt_mpi_nap (guint *n);
/* Until @rank has sent something; *@came: what. FALSE: cancelled. mpirun kills all a second after it has said so, and what
 * was begun has to be gone by then. */
gboolean tt_mpi_wait_for (guint rank, int tag, int *came, GError **error);
/* Until MPI has taken what is sent, likewise. @request: an MPI_Request. */
gboolean tt_mpi_wait_sent (gpointer request, GError **error);
/* Of all ranks: what rank 0 has in @bytes, @len of them, is in those of all then. They do nothing else meanwhile. */
void tt_mpi_tell_all (guint8 *bytes, gsize len);
/* On rank 0: others wait for what it will not say. */
gboolean tt_mpi_has_given_up (void);

/* On rank 0: of all other ranks before @n. @takers: NULL, or who had each of the turns. */
gboolean tt_mpi_take_reports (guint n, guint32 *takers, guint n_turns, GError **error);
/* @n turns that @rank had. */
void tt_mpi_note_takers (guint32 *takers, guint n_turns, guint rank, const char *bytes, gint64 n);
