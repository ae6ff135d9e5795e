/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/statistics/joint-stats.h"

#include "analyzers/statistics/joint-search.h"
#include "analyzers/statistics/joint-words.h"
#include "src/base/array.h"
#include "src/base/compare.h"

/* Answers of a round are in memory: so many bytes at most, about. */
#define ROUND_BYTES ((gsize) 64 << 20)
/* A search ends after some ten. */
#define MAX_ROUNDS 1000u

enum
{
  LOWER_MEDIAN,
  MEDIAN,
  P95,
  P99,
  N_PLACES
};

/* What a rank has of a group. */
typedef struct
{
  guint32 group, rank, row;
  gboolean is_bounded; /* all that it has */
  gint64 min_ns, max_ns;
} Member;

typedef struct
{
  TtTallyRow sums;
  guint64 mark;
  guint first_member, n_members;
} Group;

/* A group that several ranks have. */
typedef struct
{
  guint32 group;
  TtJointSearch searches[N_PLACES];
  guint8 asked_as[N_PLACES]; /* the first of those that ask the same, or N_PLACES: it is found */
} Search;

typedef struct
{
  const TtCrew *crew;
  TtJointPart *part;
  TtPartValues *own;
  GArray *groups;  /* of Group, by number in the grouping; a count of 0: nobody has it */
  GArray *members; /* of Member, by group and rank */
  guint max_samples;
} Joint;

/* -- the groups of all ------------------------------------------------------------------------------------------------ */

static void
add_group (Joint *self, guint32 number, guint rank, guint row, const TtJointGroup *from)
{
  const Member member = { .group = number,
                          .rank = rank,
                          .row = row,
                          .is_bounded = from->sums.n_bounded == from->sums.count,
                          .min_ns = from->sums.min_ns,
                          .max_ns = from->sums.max_ns };

  if (number >= self->groups->len)
    g_array_set_size (self->groups, number + 1);
  Group *group = &g_array_index (self->groups, Group, number);
  if (group->sums.count == 0)
    {
      group->sums = from->sums;
      group->mark = from->mark;
    }
  else
    {
      tt_tally_row_merge (&group->sums, &from->sums);
      group->mark = ((group->mark & ~TT_JOINT_MARK_BIT) + (from->mark & ~TT_JOINT_MARK_BIT)) |
                    ((group->mark | from->mark) & TT_JOINT_MARK_BIT);
    }
  group->sums.group = number;
  group->n_members++;
  g_array_append_val (self->members, member);
}

static void
add_own (Joint *self)
{
  const GArray *rows = tt_part_values_rows (self->own);

  for (guint i = 0; i < rows->len; i++)
    {
      const TtTallyRow *row = &g_array_index (rows, TtTallyRow, i);
      const TtJointGroup group = { .mark = tt_joint_part_mark (self->part, row->group), .sums = *row };
      add_group (self, row->group, 0, i, &group);
    }
}

/* By a rank's number of a path, this one's. NULL: @error. Free it with g_array_unref(). */
static GArray *
unpack_paths (Joint *self, TtUnpack *from, guint rank, GError **error)
{
  g_autoptr (GArray) paths = g_array_new (FALSE, TRUE, sizeof (guint32));
  const guint64 n = tt_unpack_below (from, TT_MAX_PATHS);
  guint32 path = 0;

  g_array_append_val (paths, path);
  for (guint64 i = 1; i <= n && !from->is_bad; i++)
    {
      const guint32 parent = (guint32) tt_unpack_below (from, i - 1);
      const guint32 name = (guint32) tt_unpack_below (from, tt_store_max_name (self->part->store));
      path = from->is_bad ? 0 : tt_grouping_path (self->part->grouping, g_array_index (paths, guint32, parent), name);
      if (path == 0 && !from->is_bad)
        {
          tt_grouping_fail_paths (error);
          return NULL;
        }
      g_array_append_val (paths, path);
    }
  if (!from->is_bad)
    return g_steal_pointer (&paths);
  tt_crew_refuse (rank, error);
  return NULL;
}

static gboolean
add_other (Joint *self, guint rank, const GByteArray *bytes, GError **error)
{
  TtUnpack from = tt_unpack_all (bytes);
  if (tt_unpack_below (&from, TRUE) != 0)
    {
      self->part->is_odd = TRUE;
      return TRUE;
    }
  g_autoptr (GArray) paths = unpack_paths (self, &from, rank, error);
  TtStore *store = self->part->store;

  if (paths == NULL)
    return FALSE;
  const guint64 n = tt_unpack_below (&from, G_MAXUINT32);
  for (guint64 i = 0; i < n; i++)
    {
      TtJointGroup group;
      tt_joint_unpack_group (&from, &group);
      const TtGroupMember *member = &group.member;
      if (from.is_bad || member->path >= paths->len || member->name > tt_store_max_name (store) ||
          member->thread > tt_store_max_thread (store) || group.sums.count == 0 ||
          group.sums.n_bounded > group.sums.count)
        return tt_crew_refuse (rank, error);
      const guint32 number =
          tt_grouping_group_on (self->part->grouping, member->thread, g_array_index (paths, guint32, member->path),
                                member->name, member->step);
      add_group (self, number, rank, (guint) i, &group);
    }
  return TRUE;
}

static int
compare_members (gconstpointer a, gconstpointer b)
{
  const Member *x = a, *y = b;
  const int order = TT_COMPARE (x->group, y->group);

  return order != 0 ? order : TT_COMPARE (x->rank, y->rank);
}

static gboolean
gather_groups (Joint *self, GError **error)
{
  guint n = 0;

  add_own (self);
  for (guint rank = 1; rank < self->crew->n; rank++)
    {
      g_autoptr (GByteArray) bytes = self->crew->take (rank, error);
      if (bytes == NULL || !add_other (self, rank, bytes, error))
        return FALSE;
    }
  g_array_sort (self->members, compare_members);
  for (guint i = 0; i < self->groups->len; i++)
    {
      Group *group = &g_array_index (self->groups, Group, i);
      group->first_member = n;
      n += group->n_members;
    }
  return TRUE;
}

/* -- quantiles -------------------------------------------------------------------------------------------------------- */

static const Member *
members_of (const Joint *self, const Group *group)
{
  return &g_array_index (self->members, Member, group->first_member);
}

/* Of those parts that have anything to say of them. */
static void
set_extremes (const Joint *self, Group *group)
{
  const Member *members = members_of (self, group);
  const gboolean without_bounded = group->sums.n_bounded < group->sums.count;

  group->sums.min_ns = G_MAXINT64;
  group->sums.max_ns = G_MININT64;
  for (guint i = 0; i < group->n_members; i++)
    if (!without_bounded || !members[i].is_bounded)
      {
        group->sums.min_ns = MIN (group->sums.min_ns, members[i].min_ns);
        group->sums.max_ns = MAX (group->sums.max_ns, members[i].max_ns);
      }
}

static void
begin_search (Search *search, const Group *group)
{
  const guint64 count = group->sums.count - tt_tally_left_out (&group->sums);

  search->searches[LOWER_MEDIAN].place = (count - 1) / 2;
  search->searches[MEDIAN].place = count / 2;
  search->searches[P95].place = tt_tally_percentile_index (count, 95);
  search->searches[P99].place = tt_tally_percentile_index (count, 99);
}

static void
end_search (const Search *search, Group *group)
{
  group->sums.lower_median_ns = search->searches[LOWER_MEDIAN].value_ns;
  group->sums.median_ns = search->searches[MEDIAN].value_ns;
  group->sums.p95_ns = search->searches[P95].value_ns;
  group->sums.p99_ns = search->searches[P99].value_ns;
}

static TtValueQuestion
question_of (const TtJointSearch *search, const Group *group, const Member *member)
{
  return (TtValueQuestion){ .row = member->row,
                            .without_bounded = tt_tally_left_out (&group->sums) > 0,
                            .has_above = search->has_above,
                            .above_ns = search->above_ns,
                            .has_below = search->has_below,
                            .below_ns = search->below_ns };
}

/* What is asked of each rank, in the order of the groups and their searches. */
typedef struct
{
  GByteArray **questions;
  guint64 *n_questions;
  GByteArray **answers;
  TtUnpack *from;
} Round;

static void
ask (Joint *self, Search *search, Round *round)
{
  const Group *group = &g_array_index (self->groups, Group, search->group);
  const Member *members = members_of (self, group);

  for (guint i = 0; i < N_PLACES; i++)
    {
      search->asked_as[i] = (guint8) (search->searches[i].is_found ? N_PLACES : i);
      if (search->searches[i].is_found)
        continue;
      for (guint k = 0; k < i && search->asked_as[i] == i; k++)
        if (search->asked_as[k] == k && tt_joint_search_is_like (&search->searches[i], &search->searches[k]))
          search->asked_as[i] = (guint8) k;
      for (guint m = 0; m < group->n_members && search->asked_as[i] == i; m++)
        if (members[m].rank > 0)
          {
            const TtValueQuestion question = question_of (&search->searches[i], group, &members[m]);
            tt_joint_pack_question (round->questions[members[m].rank], &question);
            round->n_questions[members[m].rank]++;
          }
    }
}

/* FALSE: @error, or another rank has failed. */
static gboolean
send_questions (Joint *self, Round *round, GError **error)
{
  for (guint rank = 1; rank < self->crew->n; rank++)
    if (round->n_questions[rank] > 0)
      {
        g_autoptr (GByteArray) bytes = g_byte_array_new ();
        tt_pack_number (bytes, self->max_samples);
        tt_pack_number (bytes, round->n_questions[rank]);
        g_byte_array_append (bytes, round->questions[rank]->data, round->questions[rank]->len);
        if (!self->crew->tell (rank, bytes, error))
          return FALSE;
      }
  for (guint rank = 1; rank < self->crew->n; rank++)
    if (round->n_questions[rank] > 0)
      {
        GByteArray *bytes = round->answers[rank] = self->crew->take (rank, error);
        if (bytes == NULL)
          return FALSE;
        round->from[rank] = tt_unpack_all (bytes);
      }
  return TRUE;
}

static gboolean
read_answers (Joint *self, Search *search, Round *round, GError **error)
{
  const Group *group = &g_array_index (self->groups, Group, search->group);
  const Member *members = members_of (self, group);
  g_autofree TtValueAnswer *answers = g_new (TtValueAnswer, group->n_members);
  g_autofree const TtValueAnswer **each = g_new (const TtValueAnswer *, group->n_members);

  for (guint i = 0; i < N_PLACES; i++)
    {
      if (search->asked_as[i] != i)
        continue;
      for (guint m = 0; m < group->n_members; m++)
        {
          const guint rank = members[m].rank;
          const TtValueQuestion question = question_of (&search->searches[i], group, &members[m]);
          each[m] = &answers[m];
          if (rank == 0)
            tt_part_values_answer (self->own, &question, self->max_samples, &answers[m]);
          else
            tt_joint_unpack_answer (&round->from[rank], self->max_samples, &answers[m]);
          if (rank > 0 && round->from[rank].is_bad)
            return tt_crew_refuse (rank, error);
        }
      for (guint k = i; k < N_PLACES; k++)
        if (search->asked_as[k] == i && !tt_joint_search_narrow (&search->searches[k], each, group->n_members))
          return tt_crew_refuse (members[group->n_members - 1].rank, error);
    }
  return TRUE;
}

static gboolean
is_found (const Search *search)
{
  for (guint i = 0; i < N_PLACES; i++)
    if (!search->searches[i].is_found)
      return FALSE;
  return TRUE;
}

static gboolean
go_round (Joint *self, Search *searches, guint n, Round *round, gboolean *are_found, GError **error)
{
  for (guint i = 0; i < n; i++)
    ask (self, &searches[i], round);
  if (!send_questions (self, round, error))
    return FALSE;
  *are_found = TRUE;
  for (guint i = 0; i < n; i++)
    {
      if (!read_answers (self, &searches[i], round, error))
        return FALSE;
      *are_found &= is_found (&searches[i]);
    }
  return tt_part_values_check (self->own, error);
}

static gboolean
search_some (Joint *self, Search *searches, guint n, GError **error)
{
  const guint n_ranks = self->crew->n;
  gboolean are_found = FALSE, is_ok = TRUE;

  for (guint i = 0; i < MAX_ROUNDS && is_ok && !are_found; i++)
    {
      g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
      g_autofree GByteArray **answers = g_new0 (GByteArray *, n_ranks);
      g_autofree guint64 *n_questions = g_new0 (guint64, n_ranks);
      g_autofree TtUnpack *from = g_new0 (TtUnpack, n_ranks);
      for (guint rank = 0; rank < n_ranks; rank++)
        g_ptr_array_add (all, g_byte_array_new ());
      Round round = { (GByteArray **) all->pdata, n_questions, answers, from };
      is_ok = go_round (self, searches, n, &round, &are_found, error);
      for (guint rank = 0; rank < n_ranks; rank++)
        g_clear_pointer (&answers[rank], g_byte_array_unref);
    }
  if (is_ok && !are_found)
    return tt_crew_refuse (n_ranks - 1, error);
  for (guint i = 0; i < n && is_ok; i++)
    end_search (&searches[i], &g_array_index (self->groups, Group, searches[i].group));
  return is_ok;
}

/* Of groups that several ranks have; what one alone has, it has told. */
static gboolean
find_quantiles (Joint *self, GError **error)
{
  const gsize max_answers = ROUND_BYTES / (self->max_samples * sizeof (gint64));
  g_autoptr (GArray) searches = g_array_new (FALSE, TRUE, sizeof (Search));
  gsize n_answers = 0;

  for (guint i = 0; i < self->groups->len; i++)
    {
      Group *group = &g_array_index (self->groups, Group, i);
      if (group->n_members < 2)
        continue;
      set_extremes (self, group);
      Search search = { .group = i };
      begin_search (&search, group);
      g_array_append_val (searches, search);
      n_answers += (gsize) group->n_members * N_PLACES;
      if (n_answers < max_answers)
        continue;
      if (!search_some (self, TT_ARRAY (searches, Search), searches->len, error))
        return FALSE;
      g_array_set_size (searches, 0);
      n_answers = 0;
    }
  return searches->len == 0 || search_some (self, TT_ARRAY (searches, Search), searches->len, error);
}

gboolean
tt_joint_stats_take (const TtCrew *crew, TtJointPart *part, TtJointRowFunc add, gpointer data, GError **error)
{
  g_autoptr (TtPartValues) own = tt_part_values_new (part->tally, error);
  g_autoptr (GArray) groups = g_array_new (FALSE, TRUE, sizeof (Group));
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (Member));
  Joint self = { .crew = crew,
                 .part = part,
                 .own = own,
                 .groups = groups,
                 .members = members,
                 .max_samples = CLAMP (2048 / crew->n, TT_MIN_VALUE_SAMPLES, TT_VALUE_SAMPLES) };

  if (own == NULL || !gather_groups (&self, error))
    return FALSE;
  if (part->is_odd)
    return TRUE;
  if (!find_quantiles (&self, error))
    return FALSE;
  for (guint i = 0; i < groups->len; i++)
    {
      const Group *group = &g_array_index (groups, Group, i);
      if (group->sums.count > 0)
        add (&group->sums, group->mark, data);
    }
  return TRUE;
}
