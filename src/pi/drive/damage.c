/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* Calls of a thread's file that cannot be made, for the file is damaged: where, why, and how many are lost. */
#include "src/pi/drive/private.h"

#include <string.h>

/* Looks at a damaged file's rest. */
typedef struct
{
  const TtDriveLane *lane;
  const guint8 *bytes;
  gsize len;
  guint64 budget;    /* bytes of what looks like records and is none: a hostile file is full of them */
  GHashTable *begun; /* instances */
  guint64 n_begun, n_without_begin;
} Search;

/* A damaged file may have fewer. */
gboolean
tt_drive_has_all_args (const TtDriveFunction *function, const TtPiNativeRecord *record)
{
  return function->function == NULL || record->args_size == function->function->packed;
}

static void
add_lost (TtDriver *self, guint64 n)
{
  self->driven->n_lost = n > G_MAXUINT64 - self->driven->n_lost ? G_MAXUINT64 : self->driven->n_lost + n;
}

static gboolean
is_call (const TtDriveLane *lane, const TtPiNativeRecord *record)
{
  if (record->kind == TT_PI_NATIVE_END)
    return TRUE;
  return record->kind == TT_PI_NATIVE_BEGIN && record->function < TT_DRIVE_MAX_FUNCTIONS &&
         lane->functions[record->function] != NULL && tt_drive_has_all_args (lane->functions[record->function], record);
}

/* The size of a whole record of a known kind; 0: there is none. */
static guint32
whole_record (Search *self, gsize at, TtPiNativeRecord *record)
{
  guint32 size = tt_pi_native_record_size (self->bytes + at, self->len - at);

  if (size < 16 || size % 8 != 0 || size > self->len - at || size > TT_PI_NATIVE_MAX_RECORD || size > self->budget)
    return 0;
  if (tt_pi_native_record (self->bytes + at, size, record) == NULL && record->kind >= TT_PI_NATIVE_NAME &&
      record->kind <= TT_PI_NATIVE_LAST)
    return size;
  self->budget -= size;
  return 0;
}

static void
count_record (Search *self, const TtPiNativeRecord *record)
{
  if (record->kind == TT_PI_NATIVE_BEGIN)
    {
      self->n_begun++;
      g_hash_table_add (self->begun, g_memdup2 (&record->instance, sizeof record->instance));
    }
  else if (record->kind == TT_PI_NATIVE_END && !g_hash_table_remove (self->begun, &record->instance))
    self->n_without_begin++;
}

/* Calls in the records that are whole from @at on. A record counts when another, or nothing, comes after it. */
static void
search_rest (Search *self, gsize at)
{
  TtPiNativeRecord record, next;

  while (at + 16 <= self->len)
    {
      guint32 size = whole_record (self, at, &record);
      gsize after = at + size;
      gboolean counts =
          size > 0 && is_call (self->lane, &record) &&
          (after + 8 > self->len || tt_pi_get (self->bytes + after, 4) == 0 || whole_record (self, after, &next) > 0);

      if (counts)
        count_record (self, &record);
      at += counts || (size > 0 && record.kind == TT_PI_NATIVE_NAME) ? size : 8;
    }
}

static guint64
count_lost (const TtDriveLane *lane, const guint8 *bytes, gsize len, gsize at)
{
  g_autoptr (GHashTable) begun = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  Search search = { .lane = lane, .bytes = bytes, .len = len, .budget = 16 * (guint64) len, .begun = begun };
  guint64 own = len - at >= 6 && tt_pi_get (bytes + at + 4, 2) == TT_PI_NATIVE_BEGIN;

  /* The last call that was read may have its END there. */
  if (lane->n_records > 0 && !lane->call.has_end)
    g_hash_table_add (begun, g_memdup2 (&lane->call.begin.instance, sizeof lane->call.begin.instance));
  search_rest (&search, at >= TT_PI_NATIVE_HEADER ? at + 8 : TT_PI_NATIVE_HEADER);
  return search.n_begun + MAX (search.n_without_begin, own);
}

/* Room that was never used is zeros, and what a process left that died as it wrote; calls behind it are damage. */
void
tt_drive_check_end (TtDriver *self, TtDriveLane *lane, const guint8 *bytes, gsize len)
{
  gsize at = MIN (lane->at, len);
  TtPiNativeRecord record;
  guint32 size = tt_pi_native_record_size (bytes + at, len - at);
  const char *reason = size == 0         ? "there is no record where calls come after it"
                       : size > len - at ? "a record is longer than what is left of the file"
                       : size < 8        ? "a record is shorter than its head"
                                         : tt_pi_native_record (bytes + at, size, &record);

  if (at == len)
    return;
  guint64 n = count_lost (lane, bytes, len, at);
  if (size == 0 && n == 0)
    return;
  add_lost (self, MAX (n, 1));
  tt_drive_report_damage (self, lane, at, "%s; calls lost from here on: %" G_GUINT64_FORMAT,
                          reason != NULL ? reason : "it cannot be read", MAX (n, 1));
}

void
tt_drive_check_header (TtDriver *self, TtDriveLane *lane, const guint8 *bytes, gsize len, const char *reason)
{
  /* Killed before anything was written. */
  gboolean is_unused = len == 0 || (len >= TT_PI_NATIVE_HEADER && bytes[0] == 0);
  guint64 n = len > TT_PI_NATIVE_HEADER ? count_lost (lane, bytes, len, 0) : 0;

  if (is_unused && n == 0)
    return;
  add_lost (self, MAX (n, 1));
  tt_drive_report_damage (self, lane, 0, "%s; calls lost: %" G_GUINT64_FORMAT, reason, MAX (n, 1));
}

void
tt_drive_check_skipped (TtDriver *self, TtDriveLane *lane, gsize at, const TtPiNativeRecord *record)
{
  if (record->kind == TT_PI_NATIVE_LOST && record->lost > 0)
    {
      add_lost (self, record->lost);
      tt_drive_report_damage (self, lane, at, "%" G_GUINT64_FORMAT " calls could not be recorded", record->lost);
    }
  if (record->kind != TT_PI_NATIVE_BEGIN)
    return;
  add_lost (self, 1);
  tt_drive_report_damage (self, lane, at, "%s; the call is lost",
                          record->function >= TT_DRIVE_MAX_FUNCTIONS || lane->functions[record->function] == NULL
                              ? "a call of a function that has no name"
                              : "a call whose arguments are not those of its function");
}
