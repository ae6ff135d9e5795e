/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/definitions.h"

#include "formats/otf2/old-releases.h"
#include "src/base/error.h"

#include <stdlib.h>
#include <string.h>

#define NS_A_SECOND G_GUINT64_CONSTANT (1000000000)

/* How a value is written: b a byte, u 32 bits, q 64 bits, s a string, v a value whose type the byte before it says, n a list: a
 * number of members (B a byte, U 32 bits) and the members (q, u). */
static const char *const layouts[TT_OTF2_N_DEFINITIONS] = {
  [TT_OTF2_CLOCK_PROPERTIES] = "qqqq",
  [TT_OTF2_PARADIGM] = "bub",
  [TT_OTF2_IO_PARADIGM] = "buu",
  [TT_OTF2_STRING] = "us",
  [TT_OTF2_ATTRIBUTE] = "uubu",
  [TT_OTF2_SYSTEM_TREE_NODE] = "uuuu",
  [TT_OTF2_LOCATION_GROUP] = "uubuu",
  [TT_OTF2_LOCATION] = "qubqu",
  [TT_OTF2_REGION] = "uuubuuuubbu",
  [TT_OTF2_GROUP] = "uubUbbu",
  [TT_OTF2_METRIC_MEMBER] = "uuubbbbqu",
  [TT_OTF2_METRIC_CLASS] = "uBbb",
  [TT_OTF2_METRIC_INSTANCE] = "uuqbq",
  [TT_OTF2_COMM] = "uuuuu",
  [TT_OTF2_PARAMETER] = "uub",
  [TT_OTF2_RMA_WIN] = "uuuu",
  [TT_OTF2_SYSTEM_TREE_NODE_PROPERTY] = "uuubv",
  [TT_OTF2_SYSTEM_TREE_NODE_DOMAIN] = "ub",
  [TT_OTF2_LOCATION_GROUP_PROPERTY] = "uuubv",
  [TT_OTF2_LOCATION_PROPERTY] = "quubv",
  [TT_OTF2_SOURCE_CODE_LOCATION] = "uuu",
  [TT_OTF2_CALLING_CONTEXT] = "uuuu",
  [TT_OTF2_INTERRUPT_GENERATOR] = "uu",
  [TT_OTF2_IO_REGULAR_FILE] = "uuu",
  [TT_OTF2_IO_DIRECTORY] = "uuu",
  [TT_OTF2_IO_HANDLE] = "uuubuuu",
  [TT_OTF2_INTER_COMM] = "uuuuuu",
};

#define MAX_WIDTH 12u

/* Kinds of which one thing has several rows, and those that have no id. */
static gboolean
has_ids (guint kind)
{
  return kind != TT_OTF2_CLOCK_PROPERTIES && kind != TT_OTF2_SYSTEM_TREE_NODE_PROPERTY &&
         kind != TT_OTF2_LOCATION_GROUP_PROPERTY && kind != TT_OTF2_LOCATION_PROPERTY;
}

static guint
count_values (const char *layout)
{
  guint n = 0;

  for (const char *at = layout; *at != '\0'; at++)
    n += *at == 'B' || *at == 'U' ? 2 : 1;
  return n;
}

static TtOtf2Definitions *
definitions_new (void)
{
  TtOtf2Definitions *self = g_new0 (TtOtf2Definitions, 1);

  self->text = g_string_new (NULL);
  self->lists = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint kind = 0; kind < TT_OTF2_N_DEFINITIONS; kind++)
    if (layouts[kind] != NULL)
      {
        self->width[kind] = count_values (layouts[kind]);
        self->rows[kind] = g_array_new (FALSE, FALSE, (guint) sizeof (guint64) * self->width[kind]);
      }
  return self;
}

void
tt_otf2_definitions_free (TtOtf2Definitions *self)
{
  if (self == NULL)
    return;
  for (guint kind = 0; kind < TT_OTF2_N_DEFINITIONS; kind++)
    if (self->rows[kind] != NULL)
      g_array_unref (self->rows[kind]);
  g_array_unref (self->lists);
  g_string_free (self->text, TRUE);
  g_free (self);
}

/* -- reading ------------------------------------------------------------------------------------------------ */

/* A property's value: references and numbers alike fit in 64 bits. */
static guint64
read_value (TtOtf2Bytes *body, guint64 type)
{
  static const guint8 sizes[] = { [1] = 1, [2] = 2, [5] = 1, [6] = 2, [9] = 4, [10] = 8 };

  if (type < G_N_ELEMENTS (sizes) && sizes[type] > 0)
    return tt_otf2_full (body, sizes[type]);
  return type == 4 || type == 8 || type == 13 ? tt_otf2_u64 (body) : tt_otf2_u32 (body);
}

static void
read_list (TtOtf2Definitions *self, TtOtf2Bytes *body, gboolean is_wide, guint64 *row)
{
  guint64 n = is_wide ? tt_otf2_u32 (body) : tt_otf2_u8 (body);

  row[1] = self->lists->len;
  row[0] = 0;
  /* A member has a byte at least, so memory follows the file. */
  for (guint64 i = 0; i < n && body->is_good && self->lists->len < G_MAXUINT32 / 16; i++)
    {
      guint64 member = is_wide ? tt_otf2_u64 (body) : tt_otf2_u32 (body);
      if (!body->is_good)
        break;
      g_array_append_val (self->lists, member);
      row[0]++;
    }
}

static guint64
keep_string (TtOtf2Definitions *self, TtOtf2Bytes *body)
{
  guint64 at = self->text->len;
  const char *text = tt_otf2_string (body);

  if (text == NULL)
    return TT_OTF2_UNDEFINED;
  g_string_append_len (self->text, text, (gssize) strlen (text) + 1);
  return at;
}

/* What an older release left out at the end stays undefined. */
static gboolean
read_row (TtOtf2Definitions *self, guint kind, TtOtf2Bytes *body)
{
  guint64 row[MAX_WIDTH];
  guint n = 0;

  memset (row, 0xff, sizeof row);
  for (const char *at = layouts[kind]; *at != '\0' && body->at < body->end; at++)
    switch (*at)
      {
      case 'b':
        row[n++] = tt_otf2_u8 (body);
        break;
      case 'u':
        row[n++] = tt_otf2_u32 (body);
        break;
      case 'q':
        row[n++] = tt_otf2_u64 (body);
        break;
      case 's':
        row[n++] = keep_string (self, body);
        break;
      case 'v':
        row[n] = read_value (body, row[n - 1]);
        n++;
        break;
      default:
        read_list (self, body, *at == 'U', row + n);
        n += 2;
        break;
      }
  if (!body->is_good || n == 0)
    return FALSE;
  tt_otf2_modernise (kind, row);
  g_array_append_vals (self->rows[kind], row, 1);
  return TRUE;
}

static void
read_records (TtOtf2Definitions *self, TtOtf2Chunks *chunks, TtRepairs *repairs)
{
  TtOtf2Bytes *bytes = &chunks->bytes;

  while (bytes->at < bytes->end && bytes->is_good)
    {
      guint64 offset = tt_otf2_chunks_offset (chunks);
      guint kind = *bytes->at++;

      if (kind <= TT_OTF2_END_OF_FILE)
        {
          chunks->is_last = kind != TT_OTF2_END_OF_CHUNK;
          return;
        }
      TtOtf2Bytes body = tt_otf2_record (bytes);
      self->n_records++;
      if (!bytes->is_good)
        tt_repairs_add (repairs, TT_REPAIR_BAD_ROW, offset);
      else if (kind < TT_OTF2_N_DEFINITIONS && layouts[kind] != NULL && !read_row (self, kind, &body))
        tt_repairs_add (repairs, TT_REPAIR_BAD_ROW, offset);
    }
}

/* -- order ---------------------------------------------------------------------------------------------------- */

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  guint64 one = *(const guint64 *) a, other = *(const guint64 *) b;

  return one < other ? -1 : one > other;
}

/* The first of several with one id stays. */
static void
sort_rows (TtOtf2Definitions *self, guint kind, TtRepairs *repairs)
{
  GArray *rows = self->rows[kind];
  guint width = self->width[kind], n = 0;
  guint64 *values = (guint64 *) (void *) rows->data;
  gboolean is_sorted = TRUE;

  for (guint i = 1; i < rows->len && is_sorted; i++)
    is_sorted = values[(gsize) (i - 1) * width] < values[(gsize) i * width];
  if (is_sorted)
    return;
  g_array_sort (rows, compare_ids); /* a merge sort: stable */
  values = (guint64 *) (void *) rows->data;
  for (guint i = 0; i < rows->len; i++)
    if (n > 0 && values[(gsize) i * width] == values[(gsize) (n - 1) * width])
      tt_repairs_add (repairs, TT_REPAIR_DUPLICATE_ID, 0);
    else
      memmove (values + (gsize) n++ * width, values + (gsize) i * width, width * sizeof *values);
  g_array_set_size (rows, n);
}

/* Of whole definitions that tell nothing of it. */
static void
add_no_clock (TtOtf2Definitions *self)
{
  GArray *rows = self->rows[TT_OTF2_CLOCK_PROPERTIES];

  g_array_set_size (rows, 1);
  guint64 *row = (guint64 *) (gpointer) rows->data;
  memset (row, 0, self->width[TT_OTF2_CLOCK_PROPERTIES] * sizeof *row);
  row[TT_OTF2_CLOCK_RESOLUTION] = NS_A_SECOND;
  row[TT_OTF2_CLOCK_REALTIME] = TT_OTF2_UNDEFINED;
  self->has_no_clock = TRUE;
}

TtOtf2Definitions *
tt_otf2_definitions_read (TtOtf2Chunks *chunks, const char *path, TtRepairs *repairs, GError **error)
{
  g_autoptr (TtOtf2Definitions) self = definitions_new ();
  TtOtf2ChunkState state;

  while ((state = tt_otf2_chunks_next (chunks, error)) == TT_OTF2_CHUNK)
    read_records (self, chunks, repairs);
  if (state == TT_OTF2_FAILED)
    return NULL;
  if (state == TT_OTF2_BROKEN || state == TT_OTF2_CUT)
    tt_repairs_add (repairs, TT_REPAIR_NO_CLOSE, chunks->offset);
  for (guint kind = 0; kind < TT_OTF2_N_DEFINITIONS; kind++)
    if (layouts[kind] != NULL && has_ids (kind))
      sort_rows (self, kind, repairs);
  if (state == TT_OTF2_AT_END && tt_otf2_count (self, TT_OTF2_CLOCK_PROPERTIES) == 0)
    add_no_clock (self);
  if (tt_otf2_count (self, TT_OTF2_CLOCK_PROPERTIES) == 0 || tt_otf2_count (self, TT_OTF2_LOCATION) == 0 ||
      tt_otf2_row (self, TT_OTF2_CLOCK_PROPERTIES, 0)[TT_OTF2_CLOCK_RESOLUTION] == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT,
                   "%s: damaged: of %" G_GUINT64_FORMAT
                   " definitions none is of %s, without which no event can be read",
                   path, self->n_records, tt_otf2_count (self, TT_OTF2_LOCATION) == 0 ? "a location" : "the clock");
      return NULL;
    }
  return g_steal_pointer (&self);
}

/* -- asking ----------------------------------------------------------------------------------------------- */

guint
tt_otf2_count (const TtOtf2Definitions *self, TtOtf2Definition kind)
{
  return self->rows[kind]->len;
}

const guint64 *
tt_otf2_row (const TtOtf2Definitions *self, TtOtf2Definition kind, guint i)
{
  return (const guint64 *) (const void *) self->rows[kind]->data + (gsize) i * self->width[kind];
}

guint
tt_otf2_place (const TtOtf2Definitions *self, TtOtf2Definition kind, guint64 id)
{
  guint from = 0, to = self->rows[kind]->len;

  /* Ids mostly count from 0. */
  if (id < to && tt_otf2_row (self, kind, (guint) id)[0] == id)
    return (guint) id;
  while (from < to)
    {
      guint middle = from + (to - from) / 2;
      guint64 there = tt_otf2_row (self, kind, middle)[0];
      if (there == id)
        return middle;
      if (there < id)
        from = middle + 1;
      else
        to = middle;
    }
  return G_MAXUINT;
}

const guint64 *
tt_otf2_find (const TtOtf2Definitions *self, TtOtf2Definition kind, guint64 id)
{
  guint place = tt_otf2_place (self, kind, id);

  return place == G_MAXUINT ? NULL : tt_otf2_row (self, kind, place);
}

const char *
tt_otf2_text (const TtOtf2Definitions *self, guint64 id)
{
  const guint64 *row = tt_otf2_find (self, TT_OTF2_STRING, id);

  return row == NULL || row[TT_OTF2_STRING_AT] >= self->text->len ? NULL : self->text->str + row[TT_OTF2_STRING_AT];
}

const char *
tt_otf2_name (const TtOtf2Definitions *self, TtOtf2Definition kind, guint64 id)
{
  const guint64 *row = tt_otf2_find (self, kind, id);

  return row == NULL ? NULL : tt_otf2_text (self, row[TT_OTF2_NAME]);
}

const guint64 *
tt_otf2_list (const TtOtf2Definitions *self, const guint64 *row, guint n, guint at, guint64 *n_values)
{
  *n_values = row[n] == TT_OTF2_UNDEFINED ? 0 : row[n];
  return *n_values == 0 ? NULL : &g_array_index (self->lists, guint64, row[at]);
}

const char *
tt_otf2_paradigm_text (guint64 paradigm)
{
  static const char *const texts[] = { NULL,        "user", "compiler", "OpenMP",   "MPI",     "CUDA",   "measurement",
                                       "pthread",   "HMPP", "OmpSs",    "hardware", "GASPI",   "UPC",    "SHMEM",
                                       "winthread", "Qt",   "ACE",      "TBB",      "OpenACC", "OpenCL", "MTAPI",
                                       "sampling",  NULL,   "HIP",      "Kokkos" };

  return paradigm < G_N_ELEMENTS (texts) ? texts[paradigm] : NULL;
}

const char *
tt_otf2_role_text (guint64 role)
{
  static const char *const texts[] = {
    NULL,
    NULL,
    "wrapper",
    "loop",
    NULL,
    "parallel",
    "sections",
    "section",
    "workshare",
    "single",
    "single block",
    "master",
    "critical",
    "critical block",
    "atomic",
    "barrier",
    "implicit barrier",
    "flush",
    "ordered",
    "ordered block",
    "task",
    "task create",
    "task wait",
    "one to all",
    "all to one",
    "all to all",
    "collective",
    "file I/O",
    "point to point",
    "RMA",
    "data transfer",
    "artificial",
    "thread create",
    "thread wait",
    "untied task",
    "allocate",
    "deallocate",
    "reallocate",
    "file metadata",
  };

  return role < G_N_ELEMENTS (texts) ? texts[role] : NULL;
}
