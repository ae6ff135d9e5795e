/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/waits/joint-comm.h"

#include "analyzers/spans/shares.h"

/* The rank that finds the waits. */
#define WAITS_RANK 1u

typedef struct
{
  TtStore *store;
  const TtSelection *selection;
  const TtCrew *crew;
  gboolean with_waits;
} Question;

/* -- one rank's part ---------------------------------------------------------------------------------------- */

/* Those who count messages deal out the sources. */
static TtComm *
count_messages (const Question *self, GError **error)
{
  const TtCrew *crew = self->crew;
  const guint n = crew->n - (self->with_waits != FALSE);
  const guint share = self->with_waits && crew->rank > WAITS_RANK ? crew->rank - 1 : crew->rank;
  guint64 first, last;

  tt_event_share (self->store, n, share, &first, &last);
  return tt_comm_new_part (self->store, self->selection, first, last, crew->rank == 0, error);
}

/* A number that says which of both it is comes first. Rank 0 has nothing to say to it but that it is over. */
static gboolean
help (const Question *self, GError **error)
{
  const gboolean finds_waits = self->with_waits && self->crew->rank == WAITS_RANK;
  g_autoptr (TtComm) comm = finds_waits ? NULL : count_messages (self, error);
  g_autoptr (TtPairWaits) waits = finds_waits ? tt_pair_waits_new (self->store, self->selection, error) : NULL;
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  if (comm == NULL && waits == NULL)
    return FALSE;
  tt_pack_number (bytes, waits != NULL);
  if (waits != NULL)
    tt_pair_waits_pack (waits, bytes);
  else
    tt_comm_pack_waits (comm, bytes);
  self->crew->give (bytes);
  g_autoptr (GByteArray) nothing = self->crew->hear ();
  return TRUE;
}

/* -- rank 0 --------------------------------------------------------------------------------------------------- */

static gboolean
take_parts (const Question *self, TtComm *comm, TtPairWaits *waits, GError **error)
{
  for (guint rank = 1; rank < self->crew->n; rank++)
    {
      g_autoptr (GByteArray) bytes = self->crew->take (rank, error);
      if (bytes == NULL)
        return FALSE;
      TtUnpack from = tt_unpack_all (bytes);
      if (tt_unpack_below (&from, 1) == 0)
        tt_comm_unpack_waits (comm, &from);
      else if (comm->all.n_matched > 0)
        tt_pair_waits_unpack (waits, &from);
      if (from.is_bad)
        return tt_crew_refuse (rank, error);
    }
  return TRUE;
}

gboolean
tt_joint_comm_new (TtStore *store,
                   const TtSelection *selection,
                   const TtCrew *crew,
                   gboolean with_waits,
                   TtComm **comm,
                   TtPairWaits **waits,
                   GError **error)
{
  const Question self = { store, selection, crew, with_waits };
  GError *own = NULL;

  if (crew->rank > 0)
    return help (&self, error);
  crew->call (crew->id);
  *comm = count_messages (&self, &own);
  *waits = tt_pair_waits_new_empty ();
  const gboolean done = *comm != NULL && take_parts (&self, *comm, *waits, &own);
  return tt_crew_end (crew, done, own, error);
}
