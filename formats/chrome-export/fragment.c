/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/fragment.h"

#include "src/base/append.h"
#include "src/base/compare.h"
#include "src/base/map64.h"
#include "src/base/room.h"
#include "src/base/spill.h"

#include "formats/chrome-export/chrome.h"

#include <string.h>

/*
 * The text of a name in a process is made once and kept in a table with a cap; when that is full, it
 * is emptied. How often each long name occurred must not be forgotten: those counts go to blocks of
 * 1024 names in a process. With millions of names most occur a few times, so a count is half a byte
 * there, and only what does not fit into it has eight bytes elsewhere.
 */

#define N_SLOTS TT_ROOM (1u << 17, 1u << 8)
#define MAX_ENTRIES (N_SLOTS / 2)
#define MAX_TEXT ((gsize) 7 << 20)
#define SMALL_BYTES ((gsize) 10 << 20)
#define LARGE_BYTES ((gsize) 1 << 20)
#define BLOCK 1024u
#define IS_LARGE 15u

typedef struct
{
  guint64 key; /* process << 32 | name; 0 = free */
  guint64 count;
  gsize text; /* of a line, see make_text() */
  guint32 head_len, tail_len;
  guint32 place_len, thread; /* whose place it has */
  guint32 canonical;         /* slot that counts; the own one mostly */
  gboolean is_counted;       /* the count is here, not in the spill */
} Entry;

struct _ChromeFragments
{
  ChromeLineTexts lines; /* must be first */
  Entry *slots;
  guint n;
  GString *text;
  TtMap64 blocks; /* process << 32 | name / BLOCK -> number of block */
  guint32 n_blocks;
  TtSpill *small, *large; /* counts; NULL: nothing was put away yet */
};

ChromeFragments *
tt_chrome_fragments_new (void)
{
  ChromeFragments *self = g_new0 (ChromeFragments, 1);

  self->lines.age = 1;
  self->slots = g_new0 (Entry, N_SLOTS);
  self->text = g_string_new (NULL);
  return self;
}

void
tt_chrome_fragments_free (ChromeFragments *self)
{
  if (self == NULL)
    return;
  g_free (self->slots);
  g_string_free (self->text, TRUE);
  tt_map64_clear (&self->blocks);
  g_clear_pointer (&self->small, tt_spill_free);
  g_clear_pointer (&self->large, tt_spill_free);
  g_free (self);
}

/* -- counts that were put away ----------------------------------------------------------------------- */

static gboolean
find_count (ChromeFragments *self, guint64 key, gboolean make, guint64 *at)
{
  guint64 block_key = (key & ~(guint64) G_MAXUINT32) | (key & G_MAXUINT32) / BLOCK;
  guint32 block = tt_map64_get (&self->blocks, block_key);

  if (block == TT_MAP64_NONE)
    {
      if (!make)
        return FALSE;
      block = self->n_blocks++;
      tt_map64_set (&self->blocks, block_key, block);
    }
  *at = (guint64) block * BLOCK + (key & G_MAXUINT32) % BLOCK;
  return TRUE;
}

static guint8 *
small_at (ChromeFragments *self, guint64 at, gboolean for_write)
{
  return tt_spill_page (self->small, at / 2 / TT_SPILL_PAGE, for_write) + at / 2 % TT_SPILL_PAGE;
}

static void
put_away_count (ChromeFragments *self, guint64 at, guint64 count)
{
  guint8 *small = small_at (self, at, TRUE);
  guint shift = at % 2 * 4;

  *small = (guint8) ((*small & ~(IS_LARGE << shift)) | (guint) MIN (count, IS_LARGE) << shift);
  if (count >= IS_LARGE)
    tt_spill_write (self->large, at * sizeof count, &count, sizeof count);
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  return TT_COMPARE (((const Entry *) a)->key, ((const Entry *) b)->key);
}

/* In the order of keys, so that each page of the counts is fetched once. */
static void
put_away (ChromeFragments *self)
{
  if (self->small == NULL)
    {
      self->small = tt_spill_new (SMALL_BYTES);
      self->large = tt_spill_new (LARGE_BYTES);
    }
  guint n = 0;
  for (guint i = 0; i < N_SLOTS; i++)
    if (self->slots[i].is_counted)
      self->slots[n++] = self->slots[i];
  qsort (self->slots, n, sizeof *self->slots, compare_keys);
  for (guint i = 0; i < n; i++)
    {
      const Entry *entry = &self->slots[i];
      guint64 at;

      if (find_count (self, entry->key, TRUE, &at))
        put_away_count (self, at, entry->count);
    }
  memset (self->slots, 0, N_SLOTS * sizeof *self->slots);
  g_string_truncate (self->text, 0);
  self->n = 0;
}

static void
begin_count (ChromeFragments *self, Entry *entry)
{
  guint64 at;

  entry->is_counted = TRUE;
  if (self->small == NULL || !find_count (self, entry->key, FALSE, &at))
    return;
  entry->count = *small_at (self, at, FALSE) >> at % 2 * 4 & IS_LARGE;
  if (entry->count == IS_LARGE)
    tt_spill_read (self->large, at * sizeof entry->count, &entry->count, sizeof entry->count);
}

gboolean
tt_chrome_fragments_check (const ChromeFragments *self, GError **error)
{
  return self->small == NULL || (tt_spill_check (self->small, error) && tt_spill_check (self->large, error));
}

/* -- text ------------------------------------------------------------------------------------------------ */

/* Its parts and, where the language has lines of plain spans, what stands around them there, in the order of such a line:
 * before the head, the head, before the time; the place of @thread, the tail, before the number. */
static void
make_text (TtChrome *self, Entry *entry, guint32 thread)
{
  const ChromeLanguage *language = self->language;
  const ChromeLineParts *parts = &language->line_parts;
  const ChromeThread *shown = tt_chrome_thread_at (self, thread);
  const char *pid = tt_chrome_process_at (self, (guint32) (entry->key >> 32))->pid;
  GString *to = self->fragments->text;
  TtStoredName name = { 0 };

  if (!self->get_name (self->name_data, (guint32) entry->key, &name))
    name = (TtStoredName){ .text = "?", .op_cat = "" };
  entry->text = to->len;
  g_string_append_len (to, parts->before_head, parts->before_head_len);
  language->name_head (self, to, &name);
  entry->head_len = (guint32) (to->len - entry->text) - parts->before_head_len;
  g_string_append_len (to, parts->before_time, parts->before_time_len);
  entry->thread = thread;
  entry->place_len = language->plain_spans == NULL ? 0 : shown->text_len;
  g_string_append_len (to, self->thread_text->str + shown->text, entry->place_len);
  const gsize tail = to->len;
  language->name_tail (self, to, pid, &name);
  entry->tail_len = (guint32) (to->len - tail);
  g_string_append_len (to, parts->before_number, parts->before_number_len);
  tt_reserve (to, CHROME_USUAL_TEXT + TT_BLOCK);
}

/* -- table ----------------------------------------------------------------------------------------------- */

static inline Entry *
find (ChromeFragments *self, guint64 key)
{
  guint slot = (guint) ((key * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15)) >> 47) % N_SLOTS;

  while (self->slots[slot].key != key && self->slots[slot].key != 0)
    slot = (slot + 1) % N_SLOTS;
  return &self->slots[slot];
}

static Entry *
find_or_add (ChromeFragments *self, guint64 key)
{
  Entry *entry = find (self, key);

  if (entry->key == 0)
    {
      entry->key = key;
      entry->canonical = (guint32) (entry - self->slots);
      self->n++;
    }
  return entry;
}

static G_GNUC_NO_INLINE Entry *
add (TtChrome *self, guint64 key, guint32 thread)
{
  ChromeFragments *fragments = self->fragments;
  guint32 canonical = self->canonical == NULL ? 0 : self->canonical[(guint32) key];

  fragments->lines.age++;
  if (fragments->n + 2 > MAX_ENTRIES || fragments->text->len > MAX_TEXT)
    put_away (fragments);

  Entry *entry = find_or_add (fragments, key);
  if (canonical != 0)
    {
      Entry *counting = find_or_add (fragments, (key & ~(guint64) G_MAXUINT32) | canonical);
      entry->canonical = (guint32) (counting - fragments->slots);
    }
  if (!fragments->slots[entry->canonical].is_counted)
    begin_count (fragments, &fragments->slots[entry->canonical]);
  make_text (self, entry, thread);
  return entry;
}

/* @thread: of the place in a text that is not there yet. */
static inline Entry *
find_text (TtChrome *self, guint32 process, guint32 thread, guint32 name)
{
  guint64 key = (guint64) process << 32 | name;
  Entry *entry = find (self->fragments, key);

  return G_LIKELY (entry->key != 0 && entry->head_len != 0) ? entry : add (self, key, thread);
}

ChromeFragment
tt_chrome_fragment (TtChrome *self, guint32 process, guint32 thread, guint32 name)
{
  const ChromeLineParts *parts = &self->language->line_parts;
  const Entry *entry = find_text (self, process, thread, name);
  const ChromeFragments *fragments = self->fragments;

  const char *text = fragments->text->str + entry->text + parts->before_head_len;
  return (ChromeFragment){
    .head = text,
    .tail = text + entry->head_len + parts->before_time_len + entry->place_len,
    .head_len = entry->head_len,
    .tail_len = entry->tail_len,
    .count = &fragments->slots[entry->canonical].count,
  };
}

/* How much is copied of a text of @len. @usual: of the longest so far. */
static gsize
blocks_of (ChromeLineTexts *self, gsize *usual, gsize len)
{
  const gsize blocks = TT_WHOLE_BLOCKS (len);

  if (blocks > CHROME_USUAL_TEXT)
    return blocks;
  if (blocks > *usual)
    {
      *usual = blocks;
      self->age++; /* the others are made anew, so that they are as long */
    }
  return *usual;
}

const ChromeLineText *
tt_chrome_make_line_text (TtChrome *self, guint32 thread, guint32 name)
{
  const ChromeLineParts *parts = &self->language->line_parts;
  const Entry *entry = find_text (self, tt_chrome_thread_at (self, thread)->process, thread, name);
  ChromeFragments *fragments = self->fragments;
  ChromeLineTexts *lines = &fragments->lines;
  ChromeLineText *text = &lines->texts[(name + 31 * thread) % CHROME_LINE_TEXTS];
  const gboolean has_place = entry->thread == thread;
  const guint32 begin_len = parts->before_head_len + entry->head_len + parts->before_time_len;
  const guint32 end_len = (has_place ? entry->place_len : 0) + entry->tail_len + parts->before_number_len;
  const gsize begin_blocks = blocks_of (lines, &lines->usual_begin_blocks, begin_len);
  const gsize end_blocks = blocks_of (lines, &lines->usual_end_blocks, end_len);

  *text = (ChromeLineText){
    .key = (guint64) thread << 32 | name,
    .age = lines->age,
    .begin = fragments->text->str + entry->text,
    .end = fragments->text->str + entry->text + begin_len + (has_place ? 0 : entry->place_len),
    .count = &fragments->slots[entry->canonical].count,
    .begin_len = begin_len,
    .end_len = end_len,
    .begin_blocks = begin_blocks,
    .end_blocks = end_blocks,
    .room = begin_blocks + tt_chrome_thread_at (self, thread)->text_len + end_blocks,
    .has_place = has_place,
  };
  return text;
}
