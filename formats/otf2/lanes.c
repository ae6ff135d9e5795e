/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/lanes.h"

struct _TtOtf2Lanes
{
  guint32 *processes;  /* by place of location groups */
  GHashTable *devices; /* of those that are accelerators */
  guint32 *threads;    /* by place of locations; TT_NO_ID: not yet */
  /* By place of locations, of location groups; NULL: the archive is another's. */
  const char **tids, **ranks, **labels, **thread_labels, **same_threads;
  guint32 *numbers;                /* of locations within their groups */
  const guint64 *locations_of[32]; /* by paradigm: its group of locations; NULL: it has none */
};

#define N_PARADIGMS G_N_ELEMENTS (((TtOtf2Lanes *) NULL)->locations_of)
#define GLOBAL_MEMBERS 1u
/* See formats/otf2-export/otf2-export.h. */
#define OWN_PROPERTY "tracetool::"

enum
{
  GROUP_ACCELERATOR = 2,
  LOCATION_STREAM = 2,
  DOMAIN_SHARED_MEMORY = 1,
  MAX_TREE_DEPTH = 64,
};

/* -- what only tracetool's own archives say --------------------------------------------------------------------------- */

/* The texts of the property @name, by place of what they are of; NULL: it has none. Free the array. */
static const char **
find_texts (const TtOtf2Definitions *definitions, TtOtf2Definition of, TtOtf2Definition property, const char *name)
{
  const char **texts = g_new0 (const char *, (gsize) tt_otf2_count (definitions, of) + 1);

  for (guint i = 0; i < tt_otf2_count (definitions, property); i++)
    {
      const guint64 *row = tt_otf2_row (definitions, property, i);
      guint place = tt_otf2_place (definitions, of, row[TT_OTF2_ID]);
      if (place != G_MAXUINT && g_strcmp0 (tt_otf2_text (definitions, row[TT_OTF2_NAME]), name) == 0)
        texts[place] = tt_otf2_text (definitions, row[TT_OTF2_PROPERTY_VALUE]);
    }
  return texts;
}

static void
find_own_texts (TtOtf2Lanes *self, const TtOtf2Definitions *definitions)
{
  self->tids = find_texts (definitions, TT_OTF2_LOCATION, TT_OTF2_LOCATION_PROPERTY, OWN_PROPERTY "tid");
  self->ranks = find_texts (definitions, TT_OTF2_LOCATION_GROUP, TT_OTF2_LOCATION_GROUP_PROPERTY, OWN_PROPERTY "rank");
  self->labels =
      find_texts (definitions, TT_OTF2_LOCATION_GROUP, TT_OTF2_LOCATION_GROUP_PROPERTY, OWN_PROPERTY "label");
  self->thread_labels = find_texts (definitions, TT_OTF2_LOCATION, TT_OTF2_LOCATION_PROPERTY, OWN_PROPERTY "label");
  self->same_threads =
      find_texts (definitions, TT_OTF2_LOCATION, TT_OTF2_LOCATION_PROPERTY, OWN_PROPERTY "same thread");
}

/* -- where a process runs -------------------------------------------------------------------------------------- */

static gboolean
shares_memory (const TtOtf2Definitions *definitions, guint64 node)
{
  const guint64 *row = tt_otf2_find (definitions, TT_OTF2_SYSTEM_TREE_NODE_DOMAIN, node);

  return row != NULL && row[TT_OTF2_DOMAIN] == DOMAIN_SHARED_MEMORY;
}

/* The name of the machine: of the nodes above a group the one that shares memory, is called a node or host, or is the next. */
static const char *
find_host (const TtOtf2Definitions *definitions, guint64 node)
{
  const guint64 *row = tt_otf2_find (definitions, TT_OTF2_SYSTEM_TREE_NODE, node);
  const char *next = row == NULL || g_strcmp0 (tt_otf2_text (definitions, row[TT_OTF2_NODE_CLASS]), "machine") == 0
                         ? NULL
                         : tt_otf2_text (definitions, row[TT_OTF2_NAME]);

  for (guint i = 0; i < MAX_TREE_DEPTH && (row = tt_otf2_find (definitions, TT_OTF2_SYSTEM_TREE_NODE, node)) != NULL;
       i++)
    {
      const char *class_name = tt_otf2_text (definitions, row[TT_OTF2_NODE_CLASS]);
      if (shares_memory (definitions, node) || g_strcmp0 (class_name, "node") == 0 ||
          g_strcmp0 (class_name, "host") == 0)
        return tt_otf2_text (definitions, row[TT_OTF2_NAME]);
      node = row[TT_OTF2_NODE_PARENT];
    }
  return next;
}

/* -- ranks -------------------------------------------------------------------------------------------------------- */

static void
find_paradigms (TtOtf2Lanes *self, const TtOtf2Definitions *definitions)
{
  for (guint i = 0; i < tt_otf2_count (definitions, TT_OTF2_GROUP); i++)
    {
      const guint64 *group = tt_otf2_row (definitions, TT_OTF2_GROUP, i);
      guint64 paradigm = group[TT_OTF2_GROUP_PARADIGM];
      if (group[TT_OTF2_GROUP_TYPE] == TT_OTF2_GROUP_LOCATIONS && paradigm < N_PARADIGMS &&
          self->locations_of[paradigm] == NULL)
        self->locations_of[paradigm] = group;
    }
}

/* The group of locations by whose order processes have ranks; NULL: none. */
static const guint64 *
find_world (const TtOtf2Lanes *self)
{
  static const guint paradigms[] = { TT_OTF2_PARADIGM_MPI, 13 /* SHMEM */, 12 /* UPC */, 11 /* GASPI */ };

  for (guint i = 0; i < G_N_ELEMENTS (paradigms); i++)
    if (self->locations_of[paradigms[i]] != NULL)
      return self->locations_of[paradigms[i]];
  return NULL;
}

/* By place of location groups; -1: none. Free it. */
static gint64 *
find_ranks (const TtOtf2Lanes *self, const TtOtf2Definitions *definitions)
{
  guint n_groups = tt_otf2_count (definitions, TT_OTF2_LOCATION_GROUP);
  const guint64 *world = find_world (self);
  gint64 *ranks = g_new (gint64, MAX (n_groups, 1));
  guint64 n_members = 0;
  const guint64 *members =
      world == NULL ? NULL : tt_otf2_list (definitions, world, TT_OTF2_GROUP_N, TT_OTF2_GROUP_AT, &n_members);

  memset (ranks, 0xff, MAX (n_groups, 1) * sizeof *ranks);
  for (guint64 i = 0; i < n_members; i++)
    {
      const guint64 *location = tt_otf2_find (definitions, TT_OTF2_LOCATION, members[i]);
      guint place = location == NULL
                        ? G_MAXUINT
                        : tt_otf2_place (definitions, TT_OTF2_LOCATION_GROUP, location[TT_OTF2_LOCATION_OF_GROUP]);
      if (place != G_MAXUINT && ranks[place] < 0)
        ranks[place] = (gint64) i;
    }
  return ranks;
}

/* -- processes and threads ------------------------------------------------------------------------------------- */

static guint32
define_process (const TtOtf2Lanes *self, TtOtf2Session *session, guint place, gint64 rank, GHashTable *seen)
{
  const guint64 *group = tt_otf2_row (session->definitions, TT_OTF2_LOCATION_GROUP, place);
  const char *label = self->labels == NULL ? NULL : self->labels[place];
  g_autofree char *valid_label = label == NULL ? NULL : g_utf8_make_valid (label, -1);
  const TtOtf2Definitions *definitions = session->definitions;
  const char *name = tt_otf2_text (definitions, group[TT_OTF2_NAME]);
  g_autofree char *pid = name != NULL && (*name != '\0' || session->tells_roles)
                             ? g_utf8_make_valid (name, -1)
                             : g_strdup_printf ("group %" G_GUINT64_FORMAT, group[TT_OTF2_ID]);
  const char *host = find_host (definitions, group[TT_OTF2_LOCATION_GROUP_NODE]);
  g_autofree char *node = host == NULL ? NULL : g_utf8_make_valid (host, -1);

  if (self->ranks != NULL &&
      (self->ranks[place] == NULL || !g_ascii_string_to_signed (self->ranks[place], 10, 0, G_MAXINT64, &rank, NULL)))
    rank = -1;
  if (rank < 0)
    rank = session->options->rank;
  if (g_hash_table_contains (seen, pid))
    {
      char *other = g_strdup_printf ("%s (%" G_GUINT64_FORMAT ")", pid, group[TT_OTF2_ID]);
      g_free (pid);
      pid = other;
    }
  g_hash_table_add (seen, g_strdup (pid));
  return tt_sink_process (session->sink, pid, valid_label, node,
                          self->ranks == NULL && group[TT_OTF2_LOCATION_GROUP_TYPE] == GROUP_ACCELERATOR ? -1 : rank);
}

static void
define_processes (TtOtf2Lanes *self, TtOtf2Session *session)
{
  const TtOtf2Definitions *definitions = session->definitions;
  guint n = tt_otf2_count (definitions, TT_OTF2_LOCATION_GROUP);
  g_autofree gint64 *ranks = find_ranks (self, definitions);
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < n; i++)
    self->processes[i] = define_process (self, session, i, ranks[i], seen);
  for (guint i = 0; i < n; i++)
    {
      const guint64 *group = tt_otf2_row (definitions, TT_OTF2_LOCATION_GROUP, i);
      if (group[TT_OTF2_LOCATION_GROUP_TYPE] == GROUP_ACCELERATOR)
        g_hash_table_add (self->devices, GUINT_TO_POINTER (self->processes[i]));
      guint creator = tt_otf2_place (definitions, TT_OTF2_LOCATION_GROUP, group[TT_OTF2_LOCATION_GROUP_CREATOR]);
      if (group[TT_OTF2_LOCATION_GROUP_TYPE] == GROUP_ACCELERATOR && creator != G_MAXUINT && creator != i)
        tt_sink_own_process (session->sink, self->processes[i], self->processes[creator]);
    }
}

static void
number_locations (TtOtf2Lanes *self, const TtOtf2Definitions *definitions)
{
  guint n_groups = tt_otf2_count (definitions, TT_OTF2_LOCATION_GROUP);
  g_autofree guint32 *n_of_group = g_new0 (guint32, (gsize) n_groups + 1);

  for (guint i = 0; i < tt_otf2_count (definitions, TT_OTF2_LOCATION); i++)
    {
      guint64 group = tt_otf2_row (definitions, TT_OTF2_LOCATION, i)[TT_OTF2_LOCATION_OF_GROUP];
      self->numbers[i] = n_of_group[MIN (tt_otf2_place (definitions, TT_OTF2_LOCATION_GROUP, group), n_groups)]++;
    }
}

TtOtf2Lanes *
tt_otf2_lanes_new (TtOtf2Session *session)
{
  const TtOtf2Definitions *definitions = session->definitions;
  gsize n_locations = tt_otf2_count (definitions, TT_OTF2_LOCATION);
  TtOtf2Lanes *self = g_new0 (TtOtf2Lanes, 1);

  self->devices = g_hash_table_new (NULL, NULL);
  self->processes = g_new0 (guint32, (gsize) tt_otf2_count (definitions, TT_OTF2_LOCATION_GROUP) + 1);
  self->threads = g_new0 (guint32, n_locations + 1);
  self->numbers = g_new0 (guint32, n_locations + 1);
  if (session->is_own)
    find_own_texts (self, definitions);
  find_paradigms (self, definitions);
  define_processes (self, session);
  number_locations (self, definitions);
  return self;
}

void
tt_otf2_lanes_free (TtOtf2Lanes *self)
{
  if (self == NULL)
    return;
  g_free (self->processes);
  g_hash_table_unref (self->devices);
  g_free (self->threads);
  g_free (self->numbers);
  g_free (self->tids);
  g_free (self->ranks);
  g_free (self->labels);
  g_free (self->thread_labels);
  g_free (self->same_threads);
  g_free (self);
}

static guint32
process_of_location (const TtOtf2Session *self, const guint64 *location)
{
  guint place = location == NULL
                    ? G_MAXUINT
                    : tt_otf2_place (self->definitions, TT_OTF2_LOCATION_GROUP, location[TT_OTF2_LOCATION_OF_GROUP]);

  return place == G_MAXUINT ? TT_NO_ID : self->lanes->processes[place];
}

guint32
tt_otf2_process_of_group (const TtOtf2Session *self, guint64 group)
{
  guint place = tt_otf2_place (self->definitions, TT_OTF2_LOCATION_GROUP, group);

  return place == G_MAXUINT ? TT_NO_ID : self->lanes->processes[place];
}

guint32
tt_otf2_process_of (const TtOtf2Session *self, guint place)
{
  return process_of_location (self, tt_otf2_row (self->definitions, TT_OTF2_LOCATION, place));
}

/* The first location of a thread that has several: @place if it has not. */
static guint
find_first_place (const TtOtf2Session *self, guint place)
{
  const char *told = self->lanes->same_threads == NULL ? NULL : self->lanes->same_threads[place];
  guint64 id;

  if (told == NULL || !g_ascii_string_to_unsigned (told, 10, 0, G_MAXUINT64, &id, NULL))
    return place;
  guint first = tt_otf2_place (self->definitions, TT_OTF2_LOCATION, id);
  /* One that refers to another in turn, or to another process, is damaged. */
  gboolean is_first = first != G_MAXUINT && self->lanes->same_threads[first] == NULL &&
                      tt_otf2_process_of (self, first) == tt_otf2_process_of (self, place);
  return is_first ? first : place;
}

/* A location of a group that is not defined has a process of its own. */
guint32
tt_otf2_thread_of (TtOtf2Session *self, guint place)
{
  guint32 *thread, process = tt_otf2_process_of (self, place);

  place = find_first_place (self, place);
  thread = &self->lanes->threads[place];
  const guint64 *location = tt_otf2_row (self->definitions, TT_OTF2_LOCATION, place);

  if (*thread != TT_NO_ID)
    return *thread;
  if (process == TT_NO_ID)
    process = tt_sink_process (self->sink, "no location group", NULL, NULL, -1);
  const char *name = tt_otf2_text (self->definitions, location[TT_OTF2_NAME]);
  g_autofree char *label = name == NULL ? NULL : g_utf8_make_valid (name, -1);
  const char *told = self->lanes->tids == NULL ? NULL : self->lanes->tids[place];
  g_autofree char *tid =
      told != NULL ? g_utf8_make_valid (told, -1) : g_strdup_printf ("%u", self->lanes->numbers[place]);
  if (g_strcmp0 (label, told) == 0 && (told == NULL || self->lanes->thread_labels[place] == NULL))
    g_clear_pointer (&label, g_free);
  *thread = tt_sink_thread (self->sink, process, tid, label, self->lanes->numbers[place]);
  return *thread;
}

gboolean
tt_otf2_is_stream (const TtOtf2Session *self, guint place)
{
  return tt_otf2_row (self->definitions, TT_OTF2_LOCATION, place)[TT_OTF2_LOCATION_TYPE] == LOCATION_STREAM;
}

gboolean
tt_otf2_is_device (const TtOtf2Session *self, guint32 process)
{
  return g_hash_table_contains (self->lanes->devices, GUINT_TO_POINTER (process));
}

/* -- communicators -------------------------------------------------------------------------------------------- */

/* The number behind @prefix in the name of what an archive of tracetool defines; FALSE: it is not such a name. */
static gboolean
read_number (const TtOtf2Session *self, TtOtf2Definition kind, guint64 id, const char *prefix, gint64 *number)
{
  const char *name = self->is_own ? tt_otf2_name (self->definitions, kind, id) : NULL;

  return name != NULL && g_str_has_prefix (name, prefix) &&
         g_ascii_string_to_signed (name + strlen (prefix), 10, G_MININT64, G_MAXINT64, number, NULL);
}

gint64
tt_otf2_window_number (const TtOtf2Session *self, guint64 window)
{
  gint64 number;

  if (read_number (self, TT_OTF2_RMA_WIN, window, "window ", &number))
    return number;
  return (gint64) MIN (window, G_MAXUINT32);
}

gint64
tt_otf2_comm_number (const TtOtf2Session *self, guint64 comm)
{
  gint64 number;

  if (read_number (self, TT_OTF2_COMM, comm, "communicator ", &number))
    return number;
  return comm >= G_MAXINT64 ? G_MAXINT64 : (gint64) comm + 1;
}

gboolean
tt_otf2_comm_is_told (const TtOtf2Session *self, guint64 comm)
{
  const char *name = self->is_own ? tt_otf2_name (self->definitions, TT_OTF2_COMM, comm) : NULL;

  return name == NULL || !g_str_has_prefix (name, "inferred ");
}

static guint32
process_of_member (const TtOtf2Session *self, guint64 group_id, guint64 rank)
{
  const TtOtf2Definitions *definitions = self->definitions;
  const guint64 *group = tt_otf2_find (definitions, TT_OTF2_GROUP, group_id);
  guint64 n, member;

  if (group == NULL)
    return TT_NO_ID;
  const guint64 *members = tt_otf2_list (definitions, group, TT_OTF2_GROUP_N, TT_OTF2_GROUP_AT, &n);
  if (rank >= n)
    return TT_NO_ID;
  member = members[rank];
  gboolean is_location =
      group[TT_OTF2_GROUP_TYPE] == TT_OTF2_GROUP_LOCATIONS ||
      (group[TT_OTF2_GROUP_FLAGS] != TT_OTF2_UNDEFINED && (group[TT_OTF2_GROUP_FLAGS] & GLOBAL_MEMBERS) != 0);
  if (!is_location)
    {
      guint64 paradigm = group[TT_OTF2_GROUP_PARADIGM];
      const guint64 *world = paradigm < N_PARADIGMS ? self->lanes->locations_of[paradigm] : NULL;
      const guint64 *locations =
          world == NULL ? NULL : tt_otf2_list (definitions, world, TT_OTF2_GROUP_N, TT_OTF2_GROUP_AT, &n);
      if (locations == NULL || member >= n)
        return TT_NO_ID;
      member = locations[member];
    }
  return process_of_location (self, tt_otf2_find (definitions, TT_OTF2_LOCATION, member));
}

static gboolean
is_member (const TtOtf2Session *self, guint64 group_id, guint32 process)
{
  const guint64 *group = tt_otf2_find (self->definitions, TT_OTF2_GROUP, group_id);
  guint64 n = group == NULL || group[TT_OTF2_GROUP_N] == TT_OTF2_UNDEFINED ? 0 : group[TT_OTF2_GROUP_N];

  for (guint64 i = 0; i < n; i++)
    if (process_of_member (self, group_id, i) == process)
      return TRUE;
  return FALSE;
}

guint32
tt_otf2_process_of_rank (const TtOtf2Session *self, guint64 comm, guint64 rank, guint32 own_process)
{
  const guint64 *row = tt_otf2_find (self->definitions, TT_OTF2_COMM, comm);

  if (row != NULL)
    {
      const guint64 *group = tt_otf2_find (self->definitions, TT_OTF2_GROUP, row[TT_OTF2_COMM_GROUP]);
      /* Of a communicator with oneself the archive says no more than that. */
      if (group != NULL && group[TT_OTF2_GROUP_TYPE] == TT_OTF2_GROUP_SELF)
        return rank == 0 ? own_process : TT_NO_ID;
      return process_of_member (self, row[TT_OTF2_COMM_GROUP], rank);
    }
  row = tt_otf2_find (self->definitions, TT_OTF2_INTER_COMM, comm);
  if (row == NULL)
    return TT_NO_ID;
  gboolean is_in_a = is_member (self, row[TT_OTF2_INTER_COMM_A], own_process);
  return process_of_member (self, row[is_in_a ? TT_OTF2_INTER_COMM_B : TT_OTF2_INTER_COMM_A], rank);
}
