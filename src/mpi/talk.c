/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/mpi/talk.h"

#include "src/base/error.h"
#include "src/base/progress.h"

#include <mpi.h>
#include <string.h>

/* What comes soon is waited for in short naps. */
#define NAP_US 50u
#define NAPS_OF_A_KIND 16u

static GMutex in_mpi;
static gboolean has_given_up;

void
tt_mpi_enter (void)
{
  g_mutex_lock (&in_mpi);
}

void
tt_mpi_leave (void)
{
  g_mutex_unlock (&in_mpi);
}

void
tt_mpi_nap (guint *n)
{
  const guint doublings = MIN (*n / NAPS_OF_A_KIND, 6u);

  (*n)++;
  g_usleep (MIN (NAP_US << doublings, TT_MPI_SLEEP_US));
}

gboolean
tt_mpi_has_given_up (void)
{
  return has_given_up;
}

static gboolean
give_up (GError **error)
{
  has_given_up |= tt_cancelled (error);
  return has_given_up;
}

gboolean
tt_mpi_wait_for (guint rank, int tag, int *came, GError **error)
{
  MPI_Status status;
  int is_there = 0;

  for (guint n = 0;; tt_mpi_nap (&n))
    {
      tt_mpi_enter ();
      MPI_Iprobe ((int) rank, tag, MPI_COMM_WORLD, &is_there, &status);
      tt_mpi_leave ();
      if (is_there)
        break;
      if (give_up (error))
        return FALSE;
    }
  *came = status.MPI_TAG;
  return TRUE;
}

gboolean
tt_mpi_wait_sent (gpointer request, GError **error)
{
  int is_done = 0;

  for (guint n = 0;; tt_mpi_nap (&n))
    {
      MPI_Test (request, &is_done, MPI_STATUS_IGNORE);
      if (is_done)
        return TRUE;
      if (give_up (error))
        return FALSE;
    }
}

void
tt_mpi_tell_all (guint8 *bytes, gsize len)
{
  MPI_Request request;
  int is_done = 0;

  MPI_Ibcast (bytes, (int) len, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
  for (guint n = 0; !is_done; tt_mpi_nap (&n))
    MPI_Test (&request, &is_done, MPI_STATUS_IGNORE);
}

/* -- reports ---------------------------------------------------------------------------------------------------------- */

/* NULL: cancelled. Free it. */
static char *
receive_report (guint rank, GError **error)
{
  MPI_Status status;
  int tag, len;

  if (!tt_mpi_wait_for (rank, TT_TAG_REPORT, &tag, error))
    return NULL;
  tt_mpi_enter ();
  MPI_Probe ((int) rank, TT_TAG_REPORT, MPI_COMM_WORLD, &status);
  MPI_Get_count (&status, MPI_BYTE, &len);
  char *bytes = g_malloc ((gsize) len);
  MPI_Recv (bytes, len, MPI_BYTE, (int) rank, TT_TAG_REPORT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  tt_mpi_leave ();
  return bytes;
}

void
tt_mpi_note_takers (guint32 *takers, guint n_turns, guint rank, const char *bytes, gint64 n)
{
  for (gint64 i = 0; i < n; i++)
    {
      guint32 turn;
      memcpy (&turn, bytes + (gsize) i * sizeof turn, sizeof turn);
      if (turn < n_turns)
        takers[turn] = rank;
    }
}

gboolean
tt_mpi_take_reports (guint n, guint32 *takers, guint n_turns, GError **error)
{
  g_autoptr (GError) fault = NULL;

  for (guint rank = 1; rank < n; rank++)
    {
      g_autoptr (GError) cancelled = NULL;
      g_autofree char *report = receive_report (rank, &cancelled);
      if (report == NULL)
        {
          g_propagate_error (error, g_steal_pointer (&cancelled));
          return FALSE;
        }
      const char *rest = report + sizeof (TtReportHead);
      TtReportHead head;
      memcpy (&head, report, sizeof head);
      if (takers != NULL)
        tt_mpi_note_takers (takers, n_turns, rank, rest, head.n_turns);
      if (head.status != 0 && fault == NULL)
        g_set_error (&fault, TT_ERROR, head.status == 2 ? TT_ERROR_USAGE : TT_ERROR_STORE, "rank %u: %.*s", rank,
                     (int) head.text_len, rest + (gsize) head.n_turns * sizeof (guint32));
    }
  if (fault == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&fault));
  return FALSE;
}
