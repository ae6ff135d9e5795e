/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtCrew: processes that answer one question together, each from its part of what all of them see.
 *
 * Rank 0 is the one that was asked. The others give it bytes and then hear what it has to say, in turns: give, hear, give, hear ... until
 * they hear nothing more. What goes wrong with another is told by disband(). Where all have met, they may also exchange bytes, each with each.
 * What carries the bytes is outside of this room (src/mpi).
 */
#pragma once

#include <glib.h>

typedef struct
{
  guint rank, n; /* n: at least 2 */
  char id[64];   /* of the question; not empty */

  /* On rank 0, before all else: has the others begin with @id. */
  void (*call) (const char *id);
  /* On rank 0: what @rank gives, the caller's. NULL: it has failed, or @error: cancelled. */
  GByteArray *(*take) (guint rank, GError **error);
  /* On rank 0, to one that has given. FALSE: @error. */
  gboolean (*tell) (guint rank, const GByteArray *bytes, GError **error);
  /* On rank 0, between two questions: those that have given hear nothing more of this one, and go on to the next. FALSE: @error. */
  gboolean (*rest) (GError **error);
  /* On rank 0, at the end, also where something has failed: the others hear nothing more. FALSE: @error, in the words of the lowest rank
   * that failed, and with its number. */
  gboolean (*disband) (GError **error);

  /* On the others. */
  void (*give) (const GByteArray *bytes);
  /* NULL: nothing more. The caller's. */
  GByteArray *(*hear) (void);

  /* On all, after tt_crew_meet(), so that nobody waits for one that has failed. @bytes: by rank, what is for that one; then what that one has
   * for this. What is for itself stays. FALSE: cancelled, @error. */
  gboolean (*exchange) (GByteArray **bytes, GError **error);
} TtCrew;

/* What rank 0 makes of what each rank says, its own included. FALSE: @error. */
typedef gboolean (*TtCrewAddFunc) (guint rank, const GByteArray *said, gpointer data, GError **error);

/* On all: each says @own, rank 0 adds what all have said, and then all hear @told, which rank 0 fills in @add. FALSE: rank 0 has @error, or another has
 * failed; others: it is over. Rank 0 then ends all by tt_crew_end(). */
gboolean tt_crew_meet (const TtCrew *self,
                       const GByteArray *own,
                       TtCrewAddFunc add,
                       gpointer data,
                       GByteArray *told,
                       GError **error);

/* On rank 0: FALSE and @error: what @rank has said cannot be right. */
gboolean tt_crew_refuse (guint rank, GError **error);

/* By rank, empty. Free it with tt_crew_bytes_free(). */
GByteArray **tt_crew_bytes_new (const TtCrew *self);
void tt_crew_bytes_free (const TtCrew *self, GByteArray **bytes);

/* Where several databases are read one after another, @id being that of one: on rank 0 tells the others that it is there to be read. FALSE: @error. */
gboolean tt_crew_show (const TtCrew *self, const char *id, GError **error);
/* On the others, before they open it: what rank 0 shows. NULL: nothing more. Free it. */
char *tt_crew_see (const TtCrew *self);

/* On rank 0, after its own work: disbands the others. TRUE: @done, and none of them has failed. Else @error: @own, which is taken (NULL: there
 * is none), before what the others say. */
gboolean tt_crew_end (const TtCrew *self, gboolean done, GError *own, GError **error);
