/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/reader.h"

#include "formats/ctf/child.h"
#include "formats/ctf/decode.h"
#include "formats/ctf/metadata.h"
#include "formats/ctf/view.h"
#include "src/base/error.h"
#include "src/base/progress.h"

#include <string.h>

#define EVENTS_PER_CHECK 16384u

typedef struct
{
  const char *path; /* of the trace */
  const char *word; /* what the decoder is to do */
  const char *view; /* what it is given */
  const TtCtfHandler *handler;
  gpointer data;
  GPtrArray *classes; /* of TtCtfClass, by id */
  GHashTable *names;  /* of all classes of the trace */
  gboolean has_facts;
  TtCtfFacts facts;
  char *hostname;
  guint n_streams; /* as the decoder sees them */
  GString *damage;   /* streams that were reported; NULL: nobody asks */
  gboolean is_begun; /* the handler knows the facts */
  gboolean is_stopped;
  guint64 n_events;
  TtCtfView *cuts; /* of damaged streams the packets before the damage */
} Reader;

/* How the decoder took it. */
typedef enum
{
  READ_WHOLE,
  READ_REFUSED, /* no event came */
  READ_BROKEN,  /* some came, then no more */
  READ_FAILED,  /* the handler's error */
} Outcome;

static char *
replace_view (const Reader *self, const char *text)
{
  GString *plain = g_string_new (text);

  g_string_replace (plain, self->view, self->path, 0);
  return g_string_free (plain, FALSE);
}

static void
report_broken (const Reader *self, const char *stream, gboolean has_begun, const char *why)
{
  g_autofree char *plain = replace_view (self, why);

  if (self->damage != NULL)
    g_string_append_printf (self->damage, "%s %d\n", stream, has_begun);
  if (self->handler->broken != NULL)
    self->handler->broken (stream, has_begun, plain, self->data);
}

/* -- frames ---------------------------------------------------------------------------------------------------- */

static void
free_class (gpointer data)
{
  TtCtfClass *klass = data;

  if (klass->free_binding != NULL)
    klass->free_binding (klass->binding);
  for (guint i = 0; i < klass->members->len; i++)
    g_free ((char *) g_array_index (klass->members, TtCtfMember, i).name);
  g_array_unref (klass->members);
  g_free (klass->name);
  g_free (klass);
}

static void
read_class (Reader *self, TtCtfCursor *frame)
{
  guint32 n = tt_ctf_read_u32 (frame);
  TtCtfClass *klass = g_new0 (TtCtfClass, 1);

  klass->name = g_strdup (tt_ctf_read_text (frame));
  klass->members = g_array_new (FALSE, TRUE, sizeof (TtCtfMember));
  klass->names = self->names;
  for (guint32 i = 0; i < n && !frame->has_failed; i++)
    {
      TtCtfMember member = { .slot = i };
      guint32 scope = tt_ctf_read_u32 (frame), kind = tt_ctf_read_u32 (frame);
      member.scope = (TtCtfScope) MIN (scope, TT_CTF_N_SCOPES - 1);
      member.kind = (TtCtfValueKind) MIN (kind, TT_CTF_OTHER);
      member.is_hex = tt_ctf_read_u32 (frame) != 0;
      member.name = g_strdup (tt_ctf_read_text (frame));
      g_array_append_val (klass->members, member);
    }
  g_ptr_array_add (self->classes, klass);
}

static void
read_facts (Reader *self, TtCtfCursor *frame)
{
  self->facts.is_epoch = tt_ctf_read_u32 (frame) != 0;
  self->facts.clock_offset_ns = tt_ctf_read_i64 (frame);
  self->n_streams = tt_ctf_read_u32 (frame);
  g_free (self->hostname);
  self->hostname = g_utf8_make_valid (tt_ctf_read_text (frame), -1);
  self->facts.hostname = *self->hostname == '\0' ? NULL : self->hostname;
  self->has_facts = TRUE;
}

static void
hand_over_facts (Reader *self)
{
  if (self->has_facts && !self->is_begun)
    self->is_stopped = !self->handler->begin (&self->facts, self->data);
  self->is_begun = TRUE;
}

static gboolean
read_event (Reader *self, TtCtfCursor *frame)
{
  guint32 id = tt_ctf_read_u32 (frame);
  TtCtfEvent event = { .stream = tt_ctf_read_u32 (frame) };
  gsize left, slots;

  event.ts_ns = tt_ctf_read_i64 (frame);
  event.slots = frame->at;
  left = (gsize) (frame->end - frame->at);
  if (id >= self->classes->len)
    return FALSE;
  event.klass = self->classes->pdata[id];
  slots = (gsize) event.klass->members->len * 8;
  if (frame->has_failed || left < slots)
    return FALSE;
  event.tail = (const char *) frame->at + slots;
  event.tail_len = left - slots;
  event.number = ++self->n_events;
  hand_over_facts (self);
  if (!self->is_stopped && self->handler->event != NULL)
    self->handler->event (&event, self->data);
  return TRUE;
}

static void
read_lost (Reader *self, TtCtfCursor *frame)
{
  gboolean is_packets = tt_ctf_read_u32 (frame) != 0;
  gint64 count = tt_ctf_read_i64 (frame);

  if (self->handler->lost != NULL)
    self->handler->lost (is_packets, count, self->data);
}

static void
read_broken (Reader *self, TtCtfCursor *frame)
{
  gboolean has_begun = tt_ctf_read_u32 (frame) != 0;
  const char *stream = tt_ctf_read_text (frame);

  report_broken (self, stream, has_begun, tt_ctf_read_text (frame));
}

/* FALSE: the frame is damaged. */
static gboolean
read_frame (Reader *self, TtCtfFrameKind kind, TtCtfCursor *frame)
{
  switch (kind)
    {
    case TT_CTF_FRAME_FACTS:
      read_facts (self, frame);
      break;
    case TT_CTF_FRAME_NAME:
      g_hash_table_add (self->names, g_strdup (tt_ctf_read_text (frame)));
      break;
    case TT_CTF_FRAME_CLASS:
      read_class (self, frame);
      break;
    case TT_CTF_FRAME_EVENT:
      return read_event (self, frame);
    case TT_CTF_FRAME_LOST:
      read_lost (self, frame);
      break;
    case TT_CTF_FRAME_BROKEN:
      read_broken (self, frame);
      break;
    default:
      break;
    }
  return !frame->has_failed;
}

/* -- the decoder ----------------------------------------------------------------------------------------------- */

/* *why: set unless it was read whole; free it. */
static Outcome
follow (Reader *self, TtCtfChild *child, char **why, GError **error)
{
  TtCtfFrameKind kind;
  TtCtfCursor frame;

  while (tt_ctf_child_next (child, &kind, &frame))
    {
      if (kind == TT_CTF_FRAME_END)
        {
          hand_over_facts (self);
          return READ_WHOLE;
        }
      if (kind == TT_CTF_FRAME_REFUSED)
        {
          const char *causes = tt_ctf_read_text (&frame);
          g_autofree char *words = tt_ctf_child_said (child);
          *why = g_strdup_printf ("%s%s%s", causes, words == NULL ? "" : "; it says: ", words == NULL ? "" : words);
          return READ_REFUSED;
        }
      if (!read_frame (self, kind, &frame))
        break;
      if (self->is_stopped)
        return READ_WHOLE;
      if (kind == TT_CTF_FRAME_EVENT && self->n_events % EVENTS_PER_CHECK == 0 && self->handler->check != NULL &&
          !self->handler->check (self->data, error))
        return READ_FAILED;
    }
  *why = tt_ctf_child_last_words (child);
  return self->n_events > 0 ? READ_BROKEN : READ_REFUSED;
}

static Outcome
decode_view (Reader *self, char **why, GError **error)
{
  g_autoptr (TtCtfChild) child = tt_ctf_child_new (self->word, self->view, error);

  if (child == NULL)
    {
      g_prefix_error (error, "%s: ", self->path);
      return READ_FAILED;
    }
  Outcome outcome = follow (self, child, why, error);
  /* Ctrl-C ends the decoder as well. */
  if ((outcome == READ_REFUSED || outcome == READ_BROKEN) && self->handler->check != NULL &&
      !self->handler->check (self->data, error))
    return READ_FAILED;
  if (*why != NULL)
    {
      char *plain = replace_view (self, *why);
      g_free (*why);
      *why = plain;
    }
  return outcome;
}

/* The streams @files of the trace, through a folder that has no others. */
static Outcome
decode (Reader *self, const char *text, char *const *files, guint n, char **why, GError **error)
{
  g_autoptr (TtCtfView) view = tt_ctf_view_new (self->path, text, files, n, error);

  if (view == NULL)
    return READ_FAILED;
  self->view = tt_ctf_view_path (view);
  Outcome outcome = decode_view (self, why, error);
  self->view = self->path;
  return outcome;
}

/* -- bad streams ------------------------------------------------------------------------------------------------- */

static gboolean
stop_at_facts (const TtCtfFacts *facts, gpointer data)
{
  return FALSE;
}

/* Whether babeltrace2 takes the trace when @file is its only stream. *why: set if not. */
static Outcome
try_stream (const Reader *self, const char *text, char *file, char **why, GError **error)
{
  static const TtCtfHandler handler = { .begin = stop_at_facts };
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) classes = g_ptr_array_new_with_free_func (free_class);
  Reader alone = {
    .path = self->path, .word = TT_CTF_FACTS, .handler = &handler, .names = names, .classes = classes
  };
  char *one[] = { file };
  Outcome outcome = decode (&alone, text, one, 1, why, error);

  g_free (alone.hostname);
  return outcome;
}

/* The packets of @file but the last, which babeltrace2 cannot take, as a stream; NULL: it takes none, or @error. */
static char *
cut_stream (Reader *self, const char *text, const char *file, GError **error)
{
  gsize len = (gsize) tt_ctf_last_packet (file);
  g_autofree char *why = NULL;

  if (len == 0)
    return NULL;
  if (self->cuts == NULL)
    self->cuts = tt_ctf_view_new (self->path, text, NULL, 0, error);

  char *copy = self->cuts == NULL ? NULL : tt_ctf_view_add_cut (self->cuts, file, len, error);
  return copy != NULL && try_stream (self, text, copy, &why, error) == READ_WHOLE ? copy : NULL;
}

/* One bad stream makes babeltrace2 refuse the trace: lists the good ones of @files and reports the others. NULL: it
 * refuses the trace for another reason, @first. */
static GPtrArray *
list_good_streams (Reader *self, const char *text, GPtrArray *files, const char *first, GError **error)
{
  g_autoptr (GPtrArray) good = g_ptr_array_new ();
  g_autoptr (GPtrArray) reasons = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) is_cut = g_hash_table_new (NULL, NULL); /* of those in @files */
  g_autoptr (GError) local = NULL;

  for (guint i = 0; i < files->len; i++)
    {
      char *why = NULL;
      Outcome outcome = files->len == 1 ? READ_REFUSED : try_stream (self, text, files->pdata[i], &why, error);

      g_ptr_array_add (reasons, why);
      if (outcome == READ_FAILED)
        return NULL;
      char *cut = outcome == READ_REFUSED ? cut_stream (self, text, files->pdata[i], &local) : NULL;
      if (local != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
      if (cut != NULL)
        g_hash_table_add (is_cut, files->pdata[i]);
      if (outcome == READ_WHOLE || cut != NULL)
        g_ptr_array_add (good, cut != NULL ? cut : files->pdata[i]);
    }
  if (good->len == 0 || good->len - g_hash_table_size (is_cut) == files->len)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: babeltrace2: %s", self->path, first);
      return NULL;
    }
  for (guint i = 0; i < files->len; i++)
    if (reasons->pdata[i] != NULL || g_hash_table_contains (is_cut, files->pdata[i]))
      {
        gboolean is_kept = g_hash_table_contains (is_cut, files->pdata[i]);
        g_autofree char *name = g_path_get_basename (files->pdata[i]);
        const char *why = reasons->pdata[i] != NULL ? reasons->pdata[i] : first;
        g_autofree char *reason = g_strdup_printf ("%s%s", is_kept ? "without its last packet: " : "", why);
        report_broken (self, name, is_kept, reason);
      }
  return g_steal_pointer (&good);
}

static gboolean
read_streams (Reader *self, const char *text, GPtrArray *files, gboolean may_drop, GError **error)
{
  g_autofree char *why = NULL;

  switch (decode (self, text, (char **) files->pdata, files->len, &why, error))
    {
    case READ_WHOLE:
      return TRUE;
    case READ_BROKEN:
      report_broken (self, "the trace", TRUE, why);
      return TRUE;
    case READ_REFUSED:
      break;
    case READ_FAILED:
      return FALSE;
    }
  if (!may_drop)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: babeltrace2: %s", self->path, why);
      return FALSE;
    }
  g_autoptr (GPtrArray) good = list_good_streams (self, text, files, why, error);
  return good != NULL && read_streams (self, text, good, FALSE, error);
}

static gboolean
read_trace (Reader *self, GError **error)
{
  g_autoptr (GPtrArray) damaged = g_ptr_array_new_with_free_func (g_free);
  gboolean is_cut;
  g_autofree char *text = tt_ctf_metadata_read (self->path, &is_cut, error);
  g_autoptr (GPtrArray) files = text == NULL ? NULL : tt_ctf_trace_files (self->path, text, damaged, error);

  if (files == NULL)
    return FALSE;
  self->view = self->path;
  if (is_cut)
    report_broken (self, TT_CTF_METADATA, TRUE, "cut within its last packet");
  for (guint i = 0; i < damaged->len; i++)
    {
      g_autofree char *name = g_path_get_basename (damaged->pdata[i]);
      report_broken (self, name, FALSE, "it does not begin with the magic number of a CTF packet");
    }
  g_ptr_array_remove_index (files, 0);
  return files->len == 0 || read_streams (self, text, files, TRUE, error);
}

#ifdef HAVE_BABELTRACE2
#define CAN_READ TRUE
#else
#define CAN_READ FALSE
#endif

/* -- a second look ------------------------------------------------------------------------------------------------ */

/* What two reads of one trace have in common. */
typedef struct
{
  gboolean is_read;
  guint n_streams;
  GString *damage;
} Findings;

static void
findings_clear (Findings *self)
{
  if (self->damage != NULL)
    g_string_free (self->damage, TRUE);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Findings, findings_clear)

static void
find_out (Findings *findings, const char *path, const char *word, const TtCtfHandler *handler, gpointer data, GError **error)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GPtrArray) classes = g_ptr_array_new_with_free_func (free_class);
  Reader self = { .path = path, .word = word, .handler = handler, .data = data, .names = names, .classes = classes };

  findings->damage = self.damage = g_string_new (NULL);
  findings->is_read = read_trace (&self, error);
  findings->n_streams = self.n_streams;
  g_clear_pointer (&self.cuts, tt_ctf_view_free);
  g_free (self.hostname);
}

static gboolean
go_on (const TtCtfFacts *facts, gpointer data)
{
  return TRUE;
}

static void
ignore_event (const TtCtfEvent *event, gpointer data)
{
}

/*
 * babeltrace2 does not tell a call that failed from damage: a folder that it cannot list to the end has fewer streams, a
 * stream that it cannot map is broken, a plugin that it cannot open is not installed. Damage is there the second time,
 * too. Of a trace without damage it is enough to count the streams again, which decodes no event.
 */
static gboolean
is_the_same_again (const char *path, const char *word, const Findings *first)
{
  static const TtCtfHandler all = { .begin = go_on, .event = ignore_event }, facts = { .begin = stop_at_facts };
  gboolean is_clean = first->is_read && first->damage->len == 0;
  g_auto (Findings) second = { 0 };

  if (is_clean && first->n_streams > 0 && strcmp (word, TT_CTF_FACTS) == 0)
    return TRUE; /* any stream has them */
  find_out (&second, path, is_clean ? TT_CTF_FACTS : word, is_clean ? &facts : &all, NULL, NULL);
  return first->is_read == second.is_read && first->n_streams == second.n_streams &&
         g_string_equal (first->damage, second.damage);
}

static gboolean
read_with (const char *path, const char *word, const TtCtfHandler *handler, gpointer data, GError **error)
{
  g_auto (Findings) first = { 0 };
  GError *fault = NULL;

  if (!CAN_READ)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT,
                   "%s: this build of tracetool cannot read CTF traces: it was configured without babeltrace2 (Debian: "
                   "libbabeltrace2-dev)",
                   path);
      return FALSE;
    }
  find_out (&first, path, word, handler, data, &fault);
  if ((first.is_read || g_error_matches (fault, TT_ERROR, TT_ERROR_FORMAT)) && !is_the_same_again (path, word, &first))
    {
      g_autofree char *said = fault == NULL ? g_strdup ("the streams that it found differ") : g_strdup (fault->message);
      g_clear_error (&fault);
      if (!tt_cancelled (&fault))
        g_set_error (&fault, TT_ERROR, TT_ERROR_INPUT, "%s: the decoder of CTF failed, and not when asked again: %s", path,
                   said);
    }
  if (fault == NULL)
    return TRUE;
  g_propagate_error (error, fault);
  return FALSE;
}

gboolean
tt_ctf_read (const char *path, const TtCtfHandler *handler, gpointer data, GError **error)
{
  return read_with (path, TT_CTF_DECODE, handler, data, error);
}

gboolean
tt_ctf_read_facts (const char *path, const TtCtfHandler *handler, gpointer data, GError **error)
{
  return read_with (path, TT_CTF_FACTS, handler, data, error);
}
