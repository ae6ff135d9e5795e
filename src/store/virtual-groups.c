/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "src/base/array.h"
#include "src/base/compare.h"
#include "src/base/room.h"
#include "src/store/virtual-private.h"

/*
 * The rows are read twice: first the groups are counted, then each row goes to its place behind those of the groups before.
 * Where not all find room, as many groups as do are given at a time, and the rows are read once more for each such part; a
 * group that finds none alone is given straight from the pages.
 */

#define MAX_GROUPS TT_ROOM (1u << 18, 64u)
#define MAX_BYTES TT_ROOM (64u << 20, 4096u)
#define MAX_KEYS 5u /* numbers that all the columns that rows are grouped by are made of */

typedef struct
{
  gint64 keys[MAX_KEYS];
  guint null_keys;
  guint place; /* among the groups as they are given; several have the same where their values are */
  guint64 n;
  TtEventValues row; /* its first */
} Group;

typedef struct
{
  guint group; /* the first of those at this place */
  guint64 n;
} Place;

struct _TtVirtualGroups
{
  TtVirtualScan *scan; /* the caller's */
  TtVirtualOrder order;
  guint keys[MAX_KEYS], n_keys;
  guint needs[TT_EVENT_COLUMNS], n_needs; /* columns of a row that are kept of each */
  GArray *groups;                         /* of Group */
  guint *table;                           /* by hash: a group + 1 */
  guint table_size, last;                 /* last: the group of the last row */
  TtVirtualCell *cells;                   /* of each group, by which they are sorted */
  GArray *places;                         /* of Place */
  guint first, end, at;                   /* the places that are given now; at: of the current row */
  guint64 row;                            /* of it, among those of the part */
  guint64 left;                           /* rows of the current place */
  gboolean is_streamed;                   /* the part is one group, from the pages */
  gint64 *values;                         /* of the part, n_needs a row */
  guint16 *nulls;
  TtEventValues current;
};

/* -- their columns ------------------------------------------------------------------------------------------------- */

/* The bits of @set as numbers. */
static guint
list_bits (guint set, guint *list, guint max)
{
  guint n = 0;

  for (guint i = 0; i < 32 && n < max; i++)
    if ((set & 1u << i) != 0)
      list[n++] = i;
  return n;
}

TtVirtualGroups *
tt_virtual_groups_new (TtVirtualScan *scan, const TtVirtualOrder *order, guint64 used)
{
  TtVirtualGroups *self = g_new0 (TtVirtualGroups, 1);
  guint keys = 0, needs = 0;

  self->scan = scan;
  self->order = *order;
  for (guint i = 0; i < order->n; i++)
    {
      keys |= tt_virtual_column_keys (order->columns[i]);
      used &= ~(G_GUINT64_CONSTANT (1) << order->columns[i]);
    }
  for (guint i = 0; i < TT_EVENT_N; i++)
    if ((used & G_GUINT64_CONSTANT (1) << i) != 0)
      needs |= tt_virtual_column_needs (scan->events, i);
  self->n_keys = list_bits (keys, self->keys, MAX_KEYS);
  self->n_needs = list_bits (needs, self->needs, TT_EVENT_COLUMNS);
  self->groups = g_array_new (FALSE, FALSE, sizeof (Group));
  self->places = g_array_new (FALSE, FALSE, sizeof (Place));
  return self;
}

void
tt_virtual_groups_free (TtVirtualGroups *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->groups);
  g_array_unref (self->places);
  g_free (self->table);
  g_free (self->cells);
  g_free (self->values);
  g_free (self->nulls);
  g_free (self);
}

/* -- the group of a row -------------------------------------------------------------------------------------------- */

static inline guint
read_keys (const TtVirtualGroups *self, const TtEventValues *row, gint64 *keys)
{
  guint nulls = 0;

  for (guint i = 0; i < self->n_keys; i++)
    {
      guint key = self->keys[i];

      if (key == TT_KEY_RANGE)
        keys[i] = tt_virtual_find_range (self->scan->events, row->values[TT_BLOCK_ID]);
      else if (key == TT_KEY_FLAGS)
        {
          keys[i] = row->values[TT_BLOCK_SHAPE] & ((1 << TT_SCHEMA_SHAPE_BITS) - 1);
          nulls |= (row->nulls >> TT_BLOCK_SHAPE & 1) << i;
        }
      else
        {
          keys[i] = row->values[key];
          nulls |= (row->nulls >> key & 1) << i;
        }
    }
  return nulls;
}

static inline gboolean
has_keys (const Group *group, const gint64 *keys, guint n, guint nulls)
{
  for (guint i = 0; i < n; i++)
    if (group->keys[i] != keys[i])
      return FALSE;
  return group->null_keys == nulls;
}

static inline guint
hash_keys (const gint64 *keys, guint n, guint nulls)
{
  guint64 hash = nulls;

  for (guint i = 0; i < n; i++)
    hash = (hash ^ (guint64) keys[i]) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15);
  return (guint) (hash >> 32);
}

static void
grow_table (TtVirtualGroups *self)
{
  const Group *groups = TT_ARRAY (self->groups, Group);

  self->table_size = MAX (256u, 4 * self->table_size);
  g_free (self->table);
  self->table = g_new0 (guint, self->table_size);
  for (guint i = 0; i < self->groups->len; i++)
    {
      guint at = hash_keys (groups[i].keys, self->n_keys, groups[i].null_keys) & (self->table_size - 1);

      while (self->table[at] != 0)
        at = (at + 1) & (self->table_size - 1);
      self->table[at] = i + 1;
    }
}

/* The group of a row, a new one if there is none. */
static inline guint
find_group (TtVirtualGroups *self, const TtEventValues *row)
{
  gint64 keys[MAX_KEYS];
  guint nulls = read_keys (self, row, keys), at;
  const Group *groups = TT_ARRAY (self->groups, Group);

  if (self->last < self->groups->len && has_keys (&groups[self->last], keys, self->n_keys, nulls))
    return self->last;
  if (2 * self->groups->len >= self->table_size)
    grow_table (self);
  for (at = hash_keys (keys, self->n_keys, nulls) & (self->table_size - 1); self->table[at] != 0;
       at = (at + 1) & (self->table_size - 1))
    if (has_keys (&groups[self->table[at] - 1], keys, self->n_keys, nulls))
      return self->last = self->table[at] - 1;

  Group group = { .null_keys = nulls, .row = *row };
  memcpy (group.keys, keys, sizeof keys);
  g_array_append_val (self->groups, group);
  self->table[at] = self->groups->len;
  return self->last = self->groups->len - 1;
}

static int
count_rows (TtVirtualGroups *self)
{
  const TtEventValues *row;
  int code;

  while ((code = tt_virtual_scan_next (self->scan, &row)) == SQLITE_ROW)
    {
      guint group = find_group (self, row);

      g_array_index (self->groups, Group, group).n++;
      if (group >= MAX_GROUPS)
        return TT_SCAN_ODD;
    }
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* -- their order --------------------------------------------------------------------------------------------------- */

/* Values that SQLite would compare otherwise than compare_cells() does are odd. */
static int
read_cells (TtVirtualGroups *self)
{
  TtVirtualCell *cell = self->cells = g_new (TtVirtualCell, (gsize) self->groups->len * self->order.n);

  for (guint i = 0; i < self->groups->len; i++)
    for (guint k = 0; k < self->order.n; k++, cell++)
      {
        const TtEventValues *row = &g_array_index (self->groups, Group, i).row;
        TtCellAnswer answer = tt_virtual_cell (self->scan->events, self->order.columns[k], row, cell);

        if (answer == TT_CELL_FAILED)
          return sqlite3_extended_errcode (self->scan->events->db);
        if (answer != TT_CELL_KEPT ||
            (cell->type != SQLITE_NULL && cell->type != SQLITE_INTEGER && cell->type != SQLITE_TEXT))
          return TT_SCAN_ODD;
      }
  return SQLITE_OK;
}

/* Nulls come first, then numbers, then texts by their bytes. */
static int
compare_cells (const TtVirtualCell *a, const TtVirtualCell *b)
{
  int a_class = a->type == SQLITE_NULL ? 0 : a->type == SQLITE_INTEGER ? 1 : 2;
  int b_class = b->type == SQLITE_NULL ? 0 : b->type == SQLITE_INTEGER ? 1 : 2;

  if (a_class != b_class)
    return a_class - b_class;
  if (a_class == 0)
    return 0;
  if (a_class == 1)
    return TT_COMPARE (a->integer, b->integer);
  int result = memcmp (a->bytes, b->bytes, (gsize) MIN (a->len, b->len));
  return result != 0 ? result : a->len - b->len;
}

static int
compare_groups (const TtVirtualGroups *self, guint a, guint b)
{
  for (guint k = 0; k < self->order.n; k++)
    {
      int result =
          compare_cells (&self->cells[(gsize) a * self->order.n + k], &self->cells[(gsize) b * self->order.n + k]);

      if (result != 0)
        return self->order.is_descending[k] ? -result : result;
    }
  return 0;
}

static gint
compare_indexes (gconstpointer a, gconstpointer b, gpointer data)
{
  const guint *x = a, *y = b;
  int result = compare_groups (data, *x, *y);

  return result != 0 ? result : TT_COMPARE (*x, *y);
}

static gint
compare_first_rows (gconstpointer a, gconstpointer b)
{
  const Place *x = a, *y = b;

  return TT_COMPARE (x->group, y->group);
}

/* Groups are numbered as their first rows come, so that the first of several with the same values has the first row. */
static int
sort_groups (TtVirtualGroups *self)
{
  int code = read_cells (self);

  if (code != SQLITE_OK)
    return code;
  g_autofree guint *sorted = g_new (guint, self->groups->len + 1);
  for (guint i = 0; i < self->groups->len; i++)
    sorted[i] = i;
  g_qsort_with_data (sorted, (gint) self->groups->len, sizeof *sorted, compare_indexes, self);
  for (guint i = 0; i < self->groups->len; i++)
    {
      Group *group = &g_array_index (self->groups, Group, sorted[i]);

      if (i == 0 || compare_groups (self, sorted[i - 1], sorted[i]) != 0)
        {
          const Place place = { sorted[i], 0 };
          g_array_append_val (self->places, place);
        }
      group->place = self->places->len - 1;
      g_array_index (self->places, Place, group->place).n += group->n;
    }
  g_clear_pointer (&self->cells, g_free);
  if (self->order.is_distinct)
    g_array_sort (self->places, compare_first_rows);
  return SQLITE_OK;
}

int
tt_virtual_groups_read (TtVirtualGroups *self)
{
  int code = count_rows (self);

  return code == SQLITE_OK ? sort_groups (self) : code;
}

/* -- giving them --------------------------------------------------------------------------------------------------- */

/* Chooses the places that find room. */
static guint64
choose_part (TtVirtualGroups *self)
{
  const Place *places = TT_ARRAY (self->places, Place);
  const guint64 max =
      self->n_needs == 0 ? G_MAXUINT64 : MAX_BYTES / (self->n_needs * sizeof *self->values + sizeof *self->nulls);
  guint64 n = 0;

  self->first = self->end;
  while (self->end < self->places->len && (self->end == self->first || n + places[self->end].n <= max))
    n += places[self->end++].n;
  self->is_streamed = self->end - self->first == 1 && n > max;
  return n;
}

static void
keep_row (TtVirtualGroups *self, const TtEventValues *row, guint64 at)
{
  gint64 *values = self->values + at * self->n_needs;
  guint nulls = 0;

  for (guint i = 0; i < self->n_needs; i++)
    {
      values[i] = row->values[self->needs[i]];
      nulls |= (row->nulls >> self->needs[i] & 1) << i;
    }
  self->nulls[at] = (guint16) nulls;
}

/* Each row of the part goes behind the last one of its place. */
static int
fill_part (TtVirtualGroups *self, guint64 n)
{
  const Place *places = TT_ARRAY (self->places, Place);
  g_autofree guint64 *next = g_new (guint64, self->end - self->first);
  const TtEventValues *row;
  guint64 sum = 0;
  int code;

  g_free (self->values);
  g_free (self->nulls);
  self->values = g_new (gint64, n * self->n_needs + 1);
  self->nulls = g_new (guint16, n);
  for (guint i = self->first; i < self->end; i++)
    {
      next[i - self->first] = sum;
      sum += places[i].n;
    }
  tt_virtual_scan_rewind (self->scan);
  while ((code = tt_virtual_scan_next (self->scan, &row)) == SQLITE_ROW)
    {
      guint place = TT_ARRAY (self->groups, Group)[find_group (self, row)].place;

      if (place >= self->first && place < self->end)
        keep_row (self, row, next[place - self->first]++);
    }
  return code == SQLITE_DONE ? SQLITE_OK : code;
}

static int
begin_part (TtVirtualGroups *self)
{
  guint64 n = choose_part (self);

  self->at = self->first;
  self->row = 0;
  self->left = g_array_index (self->places, Place, self->at).n;
  self->current = g_array_index (self->groups, Group, g_array_index (self->places, Place, self->at).group).row;
  if (!self->is_streamed)
    return self->n_needs == 0 ? SQLITE_OK : fill_part (self, n);
  tt_virtual_scan_rewind (self->scan);
  return SQLITE_OK;
}

static int
next_streamed (TtVirtualGroups *self, const TtEventValues **row)
{
  int code;

  while ((code = tt_virtual_scan_next (self->scan, row)) == SQLITE_ROW)
    if (g_array_index (self->groups, Group, find_group (self, *row)).place == self->at)
      {
        self->left--;
        return SQLITE_ROW;
      }
  return code == SQLITE_DONE ? SQLITE_CORRUPT : code;
}

static int
next_distinct (TtVirtualGroups *self, const TtEventValues **row)
{
  if (self->end == self->places->len)
    return SQLITE_DONE;
  *row = &g_array_index (self->groups, Group, g_array_index (self->places, Place, self->end).group).row;
  self->end++;
  return SQLITE_ROW;
}

int
tt_virtual_groups_next (TtVirtualGroups *self, const TtEventValues **row)
{
  if (self->order.is_distinct)
    return next_distinct (self, row);
  while (self->left == 0)
    {
      if (self->at + 1 < self->end)
        {
          const Place *place = &g_array_index (self->places, Place, ++self->at);

          self->left = place->n;
          self->current = g_array_index (self->groups, Group, place->group).row;
          continue;
        }
      if (self->end == self->places->len)
        return SQLITE_DONE;
      int code = begin_part (self);
      if (code != SQLITE_OK)
        return code == TT_SCAN_ODD ? SQLITE_CORRUPT : code; /* it was not so before */
    }
  if (self->is_streamed)
    return next_streamed (self, row);

  self->left--;
  *row = &self->current;
  if (self->n_needs == 0)
    return SQLITE_ROW;

  const gint64 *values = self->values + self->row * self->n_needs;
  guint nulls = self->nulls[self->row];
  self->row++;
  for (guint i = 0; i < self->n_needs; i++)
    {
      guint column = self->needs[i];
      self->current.values[column] = values[i];
      self->current.nulls = (self->current.nulls & ~(1u << column)) | (nulls >> i & 1) << column;
    }
  return SQLITE_ROW;
}
