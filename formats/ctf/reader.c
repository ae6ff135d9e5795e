/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/reader.h"

#include "formats/ctf/decode.h"
#include "formats/ctf/metadata.h"
#include "formats/ctf/receiver.h"
#include "formats/ctf/view.h"
#include "src/base/error.h"
#include "src/base/failure.h"
#include "src/base/progress.h"

#include <string.h>

typedef struct
{
  TtCtfReceiver receiver;
  TtCtfView *cuts; /* of damaged streams the packets before the damage */
} Reader;

/* -- streams of a trace ---------------------------------------------------------------------------------------- */

/* The streams @files of the trace, through a folder that has no others. */
static TtCtfOutcome
decode (TtCtfReceiver *self, const char *text, char *const *files, guint n, char **why, GError **error)
{
  g_autoptr (TtCtfView) view = tt_ctf_view_new (self->path, text, files, n, error);

  if (view == NULL)
    return TT_CTF_READ_FAILED;
  self->view = tt_ctf_view_path (view);
  TtCtfOutcome outcome = tt_ctf_receiver_run (self, why, error);
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
static TtCtfOutcome
try_stream (const TtCtfReceiver *self, const char *text, char *file, char **why, GError **error)
{
  static const TtCtfHandler handler = { .begin = stop_at_facts };
  g_auto (TtCtfReceiver) alone = { .path = NULL };
  char *one[] = { file };

  tt_ctf_receiver_init (&alone, self->path, TT_CTF_FACTS, &handler, NULL);
  return decode (&alone, text, one, 1, why, error);
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
    self->cuts = tt_ctf_view_new (self->receiver.path, text, NULL, 0, error);

  char *copy = self->cuts == NULL ? NULL : tt_ctf_view_add_cut (self->cuts, file, len, error);
  return copy != NULL && try_stream (&self->receiver, text, copy, &why, error) == TT_CTF_READ_WHOLE ? copy : NULL;
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
      TtCtfOutcome outcome =
          files->len == 1 ? TT_CTF_READ_REFUSED : try_stream (&self->receiver, text, files->pdata[i], &why, error);

      g_ptr_array_add (reasons, why);
      if (outcome == TT_CTF_READ_FAILED)
        return NULL;
      char *cut = outcome == TT_CTF_READ_REFUSED ? cut_stream (self, text, files->pdata[i], &local) : NULL;
      if (local != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return NULL;
        }
      if (cut != NULL)
        g_hash_table_add (is_cut, files->pdata[i]);
      if (outcome == TT_CTF_READ_WHOLE || cut != NULL)
        g_ptr_array_add (good, cut != NULL ? cut : files->pdata[i]);
    }
  if (good->len == 0 || good->len - g_hash_table_size (is_cut) == files->len)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: babeltrace2: %s", self->receiver.path, first);
      return NULL;
    }
  for (guint i = 0; i < files->len; i++)
    if (reasons->pdata[i] != NULL || g_hash_table_contains (is_cut, files->pdata[i]))
      {
        gboolean is_kept = g_hash_table_contains (is_cut, files->pdata[i]);
        g_autofree char *name = g_path_get_basename (files->pdata[i]);
        const char *why = reasons->pdata[i] != NULL ? reasons->pdata[i] : first;
        g_autofree char *reason = g_strdup_printf ("%s%s", is_kept ? "without its last packet: " : "", why);
        tt_ctf_receiver_broken (&self->receiver, name, is_kept ? TT_CTF_BREAK_LATER : TT_CTF_BREAK_AT_BEGIN, reason);
      }
  return g_steal_pointer (&good);
}

static gboolean
read_streams (Reader *self, const char *text, GPtrArray *files, gboolean may_drop, GError **error)
{
  g_autofree char *why = NULL;

  switch (decode (&self->receiver, text, (char **) files->pdata, files->len, &why, error))
    {
    case TT_CTF_READ_WHOLE:
      return TRUE;
    case TT_CTF_READ_BROKEN:
      tt_ctf_receiver_broken (&self->receiver, "the trace", TT_CTF_BREAK_LATER, why);
      return TRUE;
    case TT_CTF_READ_REFUSED:
      break;
    case TT_CTF_READ_FAILED:
      return FALSE;
    }
  if (!may_drop)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: babeltrace2: %s", self->receiver.path, why);
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
  g_autofree char *text = tt_ctf_metadata_read (self->receiver.path, &is_cut, error);
  g_autoptr (GPtrArray) files = text == NULL ? NULL : tt_ctf_trace_files (self->receiver.path, text, damaged, error);

  if (files == NULL)
    return FALSE;
  if (is_cut)
    tt_ctf_receiver_broken (&self->receiver, TT_CTF_METADATA, TT_CTF_BREAK_LATER, "cut within its last packet");
  for (guint i = 0; i < damaged->len; i++)
    {
      g_autofree char *name = g_path_get_basename (damaged->pdata[i]);
      tt_ctf_receiver_broken (&self->receiver, name, TT_CTF_BREAK_AT_BEGIN,
                              "it does not begin with the magic number of a CTF packet");
    }
  g_ptr_array_remove_index (files, 0);
  /* Without streams the metadata are judged all the same. */
  return read_streams (self, text, files, files->len > 0, error);
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
find_out (Findings *findings,
          const char *path,
          const char *word,
          const TtCtfHandler *handler,
          gpointer data,
          GError **error)
{
  Reader self = { .cuts = NULL };

  tt_ctf_receiver_init (&self.receiver, path, word, handler, data);
  findings->damage = self.receiver.damage = g_string_new (NULL);
  findings->is_read = read_trace (&self, error);
  findings->n_streams = self.receiver.n_streams;
  g_clear_pointer (&self.cuts, tt_ctf_view_free);
  tt_ctf_receiver_clear (&self.receiver);
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
        {
          g_set_error (&fault, TT_ERROR, TT_ERROR_INPUT, "%s: the decoder of CTF failed, and not when asked again: %s",
                       path, said);
          tt_failure_leave (g_error_copy (fault));
        }
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
