/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/mpi/crew.h"

#include "src/base/error.h"
#include "src/mpi/talk.h"

#include <mpi.h>

/* Bytes go in messages of at most so many, after one that tells how many they are. */
#define MESSAGE_BYTES ((gint64) 64 << 20)
#define NOTHING_MORE ((gint64) -1)

static TtCrew self;
static guint8 *hears; /* on rank 0, by rank: it has given, and waits to be told */

/* @len: NOTHING_MORE, or of @bytes. FALSE: cancelled, on rank 0. */
static gboolean
send_bytes (guint rank, int tag, const guint8 *bytes, gint64 len, GError **error)
{
  MPI_Request request;

  MPI_Isend (&len, 1, MPI_INT64_T, (int) rank, tag, MPI_COMM_WORLD, &request);
  if (!tt_mpi_wait_sent (&request, error))
    return FALSE;
  for (gint64 at = 0; at < len; at += MESSAGE_BYTES)
    {
      MPI_Isend (bytes + at, (int) MIN (MESSAGE_BYTES, len - at), MPI_BYTE, (int) rank, tag, MPI_COMM_WORLD, &request);
      if (!tt_mpi_wait_sent (&request, error))
        return FALSE;
    }
  return TRUE;
}

/* How many bytes come, or NOTHING_MORE; FALSE: @error. */
static gboolean
receive_len (guint rank, int tag, gint64 *len, GError **error)
{
  int came;

  if (!tt_mpi_wait_for (rank, tag, &came, error))
    return FALSE;
  MPI_Recv (len, 1, MPI_INT64_T, (int) rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (*len >= NOTHING_MORE && *len <= G_MAXUINT)
    return TRUE;
  g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "rank %u: how much it has to say cannot be right", rank);
  return FALSE;
}

/* Appends the next of @len bytes; FALSE: cancelled. */
static gboolean
receive_piece (guint rank, int tag, GByteArray *bytes, gint64 len, GError **error)
{
  const guint at = bytes->len;
  const gint64 n = MIN (MESSAGE_BYTES, len - at);
  int came;

  if (!tt_mpi_wait_for (rank, tag, &came, error))
    return FALSE;
  g_byte_array_set_size (bytes, at + (guint) n);
  MPI_Recv (bytes->data + at, (int) n, MPI_BYTE, (int) rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return TRUE;
}

/* NULL: nothing more, or @error. */
static GByteArray *
receive_bytes (guint rank, int tag, GError **error)
{
  g_autoptr (GByteArray) bytes = NULL;
  gint64 len;

  if (!receive_len (rank, tag, &len, error) || len == NOTHING_MORE)
    return NULL;
  bytes = g_byte_array_new ();
  while (bytes->len < len)
    if (!receive_piece (rank, tag, bytes, len, error))
      return NULL;
  return g_steal_pointer (&bytes);
}

/* Pieces go both ways in turns, so that neither waits with all that it has. */
static gboolean
swap (guint to, const GByteArray *out, guint from, GByteArray *in, GError **error)
{
  const gint64 n_out = out->len;
  gint64 n_in;
  MPI_Request request;

  MPI_Isend (&n_out, 1, MPI_INT64_T, (int) to, TT_TAG_EXCHANGE, MPI_COMM_WORLD, &request);
  if (!receive_len (from, TT_TAG_EXCHANGE, &n_in, error) || !tt_mpi_wait_sent (&request, error))
    return FALSE;
  for (gint64 at = 0; at < MAX (n_out, n_in); at += MESSAGE_BYTES)
    {
      if (at < n_out)
        MPI_Isend (out->data + at, (int) MIN (MESSAGE_BYTES, n_out - at), MPI_BYTE, (int) to, TT_TAG_EXCHANGE,
                   MPI_COMM_WORLD, &request);
      if (at < n_in && !receive_piece (from, TT_TAG_EXCHANGE, in, n_in, error))
        return FALSE;
      if (at < n_out && !tt_mpi_wait_sent (&request, error))
        return FALSE;
    }
  return TRUE;
}

/* In turn @i each sends to the i-th after it: nobody sends to one to whom others send. */
static gboolean
exchange (GByteArray **bytes, GError **error)
{
  g_autofree GByteArray **come = g_new0 (GByteArray *, self.n);
  gboolean is_ok = TRUE;

  for (guint i = 1; i < self.n && is_ok; i++)
    {
      const guint to = (self.rank + i) % self.n, from = (self.rank + self.n - i) % self.n;
      come[from] = g_byte_array_new ();
      is_ok = swap (to, bytes[to], from, come[from], error);
      g_byte_array_set_size (bytes[to], 0);
    }
  for (guint rank = 0; rank < self.n; rank++)
    if (come[rank] != NULL)
      {
        g_byte_array_unref (bytes[rank]);
        bytes[rank] = come[rank];
      }
  return is_ok;
}

/* -- rank 0 ----------------------------------------------------------------------------------------------------------- */

static GByteArray *
take (guint rank, GError **error)
{
  int came;

  if (!tt_mpi_wait_for (rank, MPI_ANY_TAG, &came, error) || came != TT_TAG_GIVE)
    return NULL;
  GByteArray *bytes = receive_bytes (rank, TT_TAG_GIVE, error);
  hears[rank] = bytes != NULL;
  return bytes;
}

static gboolean
tell (guint rank, const GByteArray *bytes, GError **error)
{
  hears[rank] = FALSE;
  return send_bytes (rank, TT_TAG_TELL, bytes->data, bytes->len, error);
}

static gboolean
rest (GError **error)
{
  for (guint rank = 1; rank < self.n; rank++)
    {
      if (hears[rank] && !send_bytes (rank, TT_TAG_TELL, NULL, NOTHING_MORE, error))
        return FALSE;
      hears[rank] = FALSE;
    }
  return TRUE;
}

static gboolean
disband (GError **error)
{
  for (guint rank = 1; rank < self.n && !tt_mpi_has_given_up (); rank++)
    {
      g_autoptr (GByteArray) unwanted = hears[rank] ? NULL : take (rank, error);
      if (hears[rank])
        send_bytes (rank, TT_TAG_TELL, NULL, NOTHING_MORE, error);
      hears[rank] = FALSE;
    }
  return !tt_mpi_has_given_up () && tt_mpi_take_reports (self.n, NULL, 0, error);
}

/* -- the others --------------------------------------------------------------------------------------------------------- */

static void
give (const GByteArray *bytes)
{
  send_bytes (0, TT_TAG_GIVE, bytes->data, bytes->len, NULL);
}

static GByteArray *
hear (void)
{
  return receive_bytes (0, TT_TAG_TELL, NULL);
}

const TtCrew *
tt_mpi_crew (guint rank, guint n, void (*call) (const char *id))
{
  hears = g_new0 (guint8, n);
  self = (TtCrew){
    .rank = rank,
    .n = n,
    .call = call,
    .take = take,
    .tell = tell,
    .rest = rest,
    .disband = disband,
    .give = give,
    .hear = hear,
    .exchange = exchange,
  };
  return &self;
}
