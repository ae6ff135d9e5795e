/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/mpi/ranks.h"

#include "src/base/error.h"
#include "src/base/progress.h"
#include "src/base/temporary-file.h"
#include "src/mpi/crew.h"
#include "src/mpi/libraries.h"
#include "src/mpi/processors.h"
#include "src/mpi/talk.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <mpi.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#define SLICE_BYTES ((gsize) 8 << 20)
#define STOP ((gint64) 1 << 40) /* more than turns can be */
#define MAX_PLAN (1u << 30)     /* of bytes; a longer one each rank makes for itself */

static TtShardRanks self;
static GArray *turns; /* of guint32, that this rank had */

/*
 * The counter is rank 0's, and answers by messages: a window that all may change is not to be had everywhere where memory is not shared
 * (Open MPI 4 has none over TCP). Rank 0 reads inputs too, for minutes, so a thread answers meanwhile. MPI_THREAD_SERIALIZED: one at a time.
 * Where rank 0 may not have a thread, each rank has every n-th turn.
 */
static gint64 counter; /* on rank 0: the next turn */
static GThread *answering;
static gint is_answering;
static int takes_threads; /* rank 0 does */

/* -- the counter --------------------------------------------------------------------------------------------------- */

/* On rank 0, in MPI. */
static gint64
count (gint64 more)
{
  const gint64 before = counter;

  counter += more;
  return before;
}

static void
say_to_counter (gint64 more)
{
  MPI_Send (&more, 1, MPI_INT64_T, 0, TT_TAG_ASK, MPI_COMM_WORLD);
}

static gint64
ask_counter (void)
{
  gint64 before;
  int is_there = 0;

  say_to_counter (1);
  for (guint n = 0; !is_there; tt_mpi_nap (&n))
    MPI_Iprobe (0, TT_TAG_TURN, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
  MPI_Recv (&before, 1, MPI_INT64_T, 0, TT_TAG_TURN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return before;
}

static gint64
next_of_counter (void)
{
  if (self.rank != 0)
    return ask_counter ();
  tt_mpi_enter ();
  const gint64 before = count (1);
  tt_mpi_leave ();
  return before;
}

static guint32
next (void)
{
  const gint64 before = takes_threads ? next_of_counter () : (gint64) turns->len * self.n + self.rank;
  const guint32 turn = (guint32) MIN (before, (gint64) G_MAXUINT32);

  if (before < STOP)
    g_array_append_val (turns, turn);
  return turn;
}

/* Nobody waits for an answer, which there is none of where nothing is dealt. */
static void
stop (void)
{
  if (self.rank != 0 && takes_threads)
    say_to_counter (STOP);
  if (self.rank != 0)
    return;
  tt_mpi_enter ();
  count (STOP);
  tt_mpi_leave ();
}

/* One that has said something, if there is one. */
static gboolean
answer_one (void)
{
  MPI_Status status;
  int is_there;
  gint64 more;

  tt_mpi_enter ();
  MPI_Iprobe (MPI_ANY_SOURCE, TT_TAG_ASK, MPI_COMM_WORLD, &is_there, &status);
  if (is_there)
    {
      MPI_Recv (&more, 1, MPI_INT64_T, status.MPI_SOURCE, TT_TAG_ASK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      const gint64 before = count (more);
      if (more != STOP)
        MPI_Send (&before, 1, MPI_INT64_T, status.MPI_SOURCE, TT_TAG_TURN, MPI_COMM_WORLD);
    }
  tt_mpi_leave ();
  return is_there;
}

static gpointer
answer (gpointer data)
{
  for (guint n = 0; g_atomic_int_get (&is_answering);)
    if (answer_one ())
      n = 0;
    else
      tt_mpi_nap (&n);
  return NULL;
}

/* -- rank 0 ---------------------------------------------------------------------------------------------------------- */

/* What those hear that sleep. */
typedef struct
{
  char id[sizeof self.id];
  gint64 plan_len; /* of bytes that follow, to all at once */
} Order;

static void
send_orders_with (const char *id, const GByteArray *plan)
{
  Order order = { .plan_len = plan == NULL ? 0 : plan->len };

  g_strlcpy (order.id, id, sizeof order.id);
  tt_mpi_enter ();
  for (guint rank = 1; rank < self.n; rank++)
    MPI_Send (&order, sizeof order, MPI_BYTE, (int) rank, TT_TAG_ORDER, MPI_COMM_WORLD);
  if (plan != NULL)
    tt_mpi_tell_all (plan->data, plan->len);
  tt_mpi_leave ();
}

static void
send_orders (const char *id)
{
  send_orders_with (id, NULL);
}

static void
begin (const char *id, const GByteArray *plan)
{
  send_orders_with (id, plan != NULL && plan->len <= MAX_PLAN ? plan : NULL);
  if (!takes_threads || self.n < 2)
    return;
  g_atomic_int_set (&is_answering, 1);
  answering = g_thread_new ("counter", answer, NULL);
}

static gboolean
finish (guint32 *takers, guint n_turns, GError **error)
{
  tt_mpi_note_takers (takers, n_turns, 0, turns->data, turns->len);
  gboolean is_done = tt_mpi_take_reports (self.n, takers, n_turns, error);
  g_atomic_int_set (&is_answering, 0);
  g_clear_pointer (&answering, g_thread_join);
  return is_done;
}

/* -- slices of a file ------------------------------------------------------------------------------------------------- */

/* What rank 0 says to a slice. */
typedef struct
{
  gint64 offset; /* -1: it is not wanted */
  char path[PATH_MAX];
} Place;

/* What they send; those without a slice end with a report. FALSE: cancelled. */
static gboolean
receive_slices (guint n, TtShardSlice *slices, gboolean *has, GError **error)
{
  int tag;

  for (guint rank = 1; rank < n; rank++)
    {
      if (!tt_mpi_wait_for (rank, MPI_ANY_TAG, &tag, error))
        return FALSE;
      has[rank] = tag == TT_TAG_SLICE;
      if (has[rank])
        MPI_Recv (&slices[rank], sizeof *slices, MPI_BYTE, (int) rank, TT_TAG_SLICE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  return TRUE;
}

/* Which waits for the receiver: a place is too long to be sent unasked. FALSE: cancelled. */
static gboolean
send_place (const Place *place, guint rank, GError **error)
{
  MPI_Request request;

  MPI_Isend (place, sizeof *place, MPI_BYTE, (int) rank, TT_TAG_SLICE, MPI_COMM_WORLD, &request);
  return tt_mpi_wait_sent (&request, error);
}

static gboolean
wait_for_reports (GError **error)
{
  int tag;

  for (guint rank = 1; rank < self.n; rank++)
    if (!tt_mpi_wait_for (rank, TT_TAG_REPORT, &tag, error))
      return FALSE;
  return TRUE;
}

static gboolean
gather_slices (const char *path, guint n, TtShardSlice *sum, GError **error)
{
  g_autofree TtShardSlice *slices = g_new0 (TtShardSlice, n);
  g_autofree gboolean *has = g_new0 (gboolean, n);
  static Place place; /* MPI has it for as long as it likes where nobody takes it */
  gboolean are_wanted = path != NULL && g_strlcpy (place.path, path, sizeof place.path) < sizeof place.path;

  if (!receive_slices (n, slices, has, error))
    return FALSE;
  for (guint rank = 1; rank < n; rank++)
    are_wanted &= has[rank];
  for (guint rank = 1; rank < n; rank++)
    {
      place.offset = are_wanted ? (gint64) sum->n_bytes : -1;
      if (has[rank] && !send_place (&place, rank, error))
        return FALSE;
      sum->n_bytes += slices[rank].n_bytes;
      sum->n_left_out += slices[rank].n_left_out;
    }
  if (!wait_for_reports (error) || !tt_mpi_take_reports (self.n, NULL, 0, error))
    return FALSE;
  if (!are_wanted && path != NULL)
    g_set_error (error, TT_ERROR, TT_ERROR_STORE, "the ranks have no slices of '%s'", path);
  return are_wanted;
}

static gboolean
fail_write (const char *path, gint64 offset, int code, GError **error)
{
  char text[MPI_MAX_ERROR_STRING] = "";
  int len = 0;

  MPI_Error_string (code, text, &len);
  g_set_error (error, TT_ERROR, TT_ERROR_STORE, "cannot write '%s' at byte %" G_GINT64_FORMAT ": %s", path, offset,
               text);
  return FALSE;
}

static gboolean
copy_slice (MPI_File file, const Place *place, int fd, guint64 n_bytes, GError **error)
{
  g_autofree char *bytes = g_malloc (SLICE_BYTES);

  for (guint64 at = 0; at < n_bytes; at += SLICE_BYTES)
    {
      const gsize len = MIN (SLICE_BYTES, n_bytes - at);
      const gint64 offset = place->offset + (gint64) at;
      MPI_Status status;
      int n = 0;
      if (tt_cancelled (error) || !tt_file_read_at (fd, at, bytes, len, error))
        return FALSE;
      int code = MPI_File_write_at (file, offset, bytes, (int) len, MPI_BYTE, &status);
      if (code == MPI_SUCCESS)
        MPI_Get_count (&status, MPI_BYTE, &n);
      if (code != MPI_SUCCESS || n != (int) len)
        return fail_write (place->path, offset, code != MPI_SUCCESS ? code : MPI_ERR_NO_SPACE, error);
    }
  int code = MPI_File_sync (file);
  return code == MPI_SUCCESS || fail_write (place->path, place->offset, code, error);
}

/* Whether all ranks that see it share one cache of its pages: they are on one machine. */
static gboolean
is_local (int fd)
{
  static const gint64 kinds[] = { EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC,
                                  F2FS_SUPER_MAGIC, TMPFS_MAGIC,     OVERLAYFS_SUPER_MAGIC };
  struct statfs about;

  if (fstatfs (fd, &about) != 0)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if ((gint64) about.f_type == kinds[i])
      return TRUE;
  return FALSE;
}

/* *@is_local_file FALSE: nothing is done. */
static gboolean
copy_locally (const Place *place, int fd, guint64 n_bytes, gboolean *is_local_file, GError **error)
{
  const int to = open (place->path, O_WRONLY | O_CLOEXEC);
  gboolean is_done = TRUE;

  *is_local_file = to >= 0 && is_local (to);
  if (*is_local_file)
    is_done = tt_file_copy_named_at (fd, to, place->path, (guint64) place->offset, n_bytes, error);
  if (*is_local_file && is_done && fsync (to) != 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_STORE, "cannot write '%s': %s", place->path, g_strerror (errno));
      is_done = FALSE;
    }
  if (to >= 0)
    close (to);
  return is_done;
}

static gboolean
put_slice (int fd, const TtShardSlice *slice, GError **error)
{
  g_autofree Place *place = g_new0 (Place, 1);
  gboolean is_local_file;
  MPI_File file;

  MPI_Send (slice, sizeof *slice, MPI_BYTE, 0, TT_TAG_SLICE, MPI_COMM_WORLD);
  for (int is_there = 0; !is_there; g_usleep (TT_MPI_SLEEP_US))
    MPI_Iprobe (0, TT_TAG_SLICE, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
  MPI_Recv (place, sizeof *place, MPI_BYTE, 0, TT_TAG_SLICE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (place->offset < 0)
    return TRUE;
  if (!copy_locally (place, fd, slice->n_bytes, &is_local_file, error))
    return FALSE;
  if (is_local_file)
    return TRUE;
  int code = MPI_File_open (MPI_COMM_SELF, place->path, MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
  if (code != MPI_SUCCESS)
    return fail_write (place->path, place->offset, code, error);
  gboolean done = copy_slice (file, place, fd, slice->n_bytes, error);
  code = MPI_File_close (&file);
  return done && (code == MPI_SUCCESS || fail_write (place->path, place->offset, code, error));
}

/* -- the others -------------------------------------------------------------------------------------------------------- */

gboolean
tt_mpi_wait (void)
{
  MPI_Request request;
  Order order;
  int is_done = 0;

  MPI_Irecv (&order, sizeof order, MPI_BYTE, 0, TT_TAG_ORDER, MPI_COMM_WORLD, &request);
  for (;;)
    {
      MPI_Test (&request, &is_done, MPI_STATUS_IGNORE);
      if (is_done)
        break;
      g_usleep (TT_MPI_SLEEP_US);
    }
  g_strlcpy (self.id, order.id, sizeof self.id);
  g_clear_pointer (&self.plan, g_byte_array_unref);
  if (order.plan_len > 0)
    {
      self.plan = g_byte_array_sized_new ((guint) order.plan_len);
      g_byte_array_set_size (self.plan, (guint) order.plan_len);
      tt_mpi_tell_all (self.plan->data, self.plan->len);
    }
  return self.id[0] != '\0';
}

void
tt_mpi_report (int status, const char *text)
{
  const TtReportHead head = { status, turns->len, (gint64) strlen (text) };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (status != 0)
    stop ();
  g_byte_array_append (bytes, (const guint8 *) &head, sizeof head);
  g_byte_array_append (bytes, (const guint8 *) turns->data, turns->len * (guint) sizeof (guint32));
  g_byte_array_append (bytes, (const guint8 *) text, (guint) head.text_len);
  MPI_Send (bytes->data, (int) bytes->len, MPI_BYTE, 0, TT_TAG_REPORT, MPI_COMM_WORLD);
}

/* -- all --------------------------------------------------------------------------------------------------------------- */

const TtShardRanks *
tt_mpi_start (int *argc, char ***argv)
{
  int provided, rank, n;

  MPI_Init_thread (argc, argv, MPI_THREAD_SERIALIZED, &provided);
  MPI_Comm_rank (MPI_COMM_WORLD, &rank);
  MPI_Comm_size (MPI_COMM_WORLD, &n);
  turns = g_array_new (FALSE, FALSE, sizeof (guint32));
  takes_threads = provided >= MPI_THREAD_SERIALIZED;
  MPI_Bcast (&takes_threads, 1, MPI_INT, 0, MPI_COMM_WORLD);
  tt_mpi_gather_processors ();
  tt_mpi_keep_libraries ();
  self = (TtShardRanks){
    .rank = (guint) rank,
    .n = (guint) n,
    .begin = begin,
    .next = next,
    .stop = stop,
    .finish = finish,
    .begin_slices = send_orders,
    .gather_slices = gather_slices,
    .put_slice = put_slice,
    .use_processors = tt_mpi_use_processors,
    .crew = tt_mpi_crew ((guint) rank, (guint) n, send_orders),
  };
  return &self;
}

void
tt_mpi_end (void)
{
  if (tt_mpi_has_given_up ())
    MPI_Abort (MPI_COMM_WORLD, 1);
  while (self.rank == 0 && answer_one ())
    ;
  if (self.rank == 0)
    send_orders ("");
  MPI_Finalize ();
}
