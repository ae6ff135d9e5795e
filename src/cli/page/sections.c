/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/page/page.h"

#include "src/base/error.h"
#include "src/base/packed.h"
#include "src/base/progress.h"
#include "src/base/readers.h"

const TtPageSection *const tt_page_sections[] = {
  &tt_page_timeline,  &tt_page_stats,
  &tt_page_breakdown, &tt_page_imbalance,
  &tt_page_waits,     &tt_page_path,
  &tt_page_comm,      &tt_page_transfers,
  &tt_page_steps,     &tt_page_kernels,
  &tt_page_graph,     &tt_page_compare,
  &tt_page_trust,     NULL,
};

/* All sections, or those that one thread fills. */
typedef struct
{
  TtPage *page;
  TtPagePart *parts;             /* of each section of tt_page_sections */
  gint *is_stopped;              /* by the others, which failed */
  gboolean has_waits, has_alone; /* which sections */
  guint share, n_shares;         /* of those that stand alone; n_shares 0: all */
  GError *error;
} Lane;

static gboolean
fill_section (TtPage *self, const TtPageSection *section, TtPagePart *part, GError **error)
{
  GError *failure = NULL;

  if (tt_cancelled (error))
    return FALSE;
  tt_page_part_init (part);
  self->section_id = section->id;
  self->part = part;
  gboolean is_filled = section->fill (self, &failure);
  /* One question without an answer is no reason to keep the others'. */
  if (!is_filled && g_error_matches (failure, TT_ERROR, TT_ERROR_NO_ANSWER))
    {
      g_autofree char *why = g_strdup_printf ("There is no answer here: %s.", failure->message);
      tt_page_none (self, why);
      g_clear_error (&failure);
      is_filled = TRUE;
    }
  self->part = &self->all;
  if (failure != NULL)
    g_propagate_error (error, failure);
  return is_filled;
}

static gboolean
fill_lane (Lane *self)
{
  guint n_alone = 0;

  for (guint i = 0; tt_page_sections[i] != NULL && !g_atomic_int_get (self->is_stopped); i++)
    {
      const TtPageSection *section = tt_page_sections[i];
      const gboolean is_of_share = self->n_shares == 0 || n_alone % self->n_shares == self->share;

      n_alone += section->stands_alone != FALSE;
      if ((section->stands_alone ? self->has_alone && is_of_share : self->has_waits) &&
          !fill_section (self->page, section, &self->parts[i], &self->error))
        g_atomic_int_set (self->is_stopped, TRUE);
    }
  return self->error == NULL;
}

static gpointer
run_lane (gpointer data)
{
  return GINT_TO_POINTER (fill_lane (data));
}

/* -- beside each other -------------------------------------------------------------------------------------------- */

/* Those that stand alone, with a store and a selection of everything of their own. */
static gboolean
fill_beside (TtPage *self, TtPagePart *parts, GError **error)
{
  g_auto (TtPage) beside = { 0 };
  gint is_stopped = FALSE;
  g_autoptr (TtSelection) selection = tt_selection_new (NULL, NULL, TT_UNIT_US, error);
  g_autoptr (TtStore) store = selection == NULL ? NULL : tt_store_open_again (self->store, error);

  if (store == NULL || !tt_selection_bind (selection, store, error))
    return FALSE;
  tt_page_init (&beside, store, selection);
  Lane with_waits = { .page = self, .parts = parts, .is_stopped = &is_stopped, .has_waits = TRUE };
  Lane alone = { .page = &beside, .parts = parts, .is_stopped = &is_stopped, .has_alone = TRUE };
  GThread *thread = g_thread_try_new ("page", run_lane, &alone, NULL);
  with_waits.has_alone = thread == NULL;
  fill_lane (&with_waits);
  if (thread != NULL)
    g_thread_join (thread);
  if (with_waits.error == NULL && alone.error == NULL)
    return TRUE;
  if (with_waits.error != NULL)
    g_clear_error (&alone.error);
  g_propagate_error (error, with_waits.error != NULL ? with_waits.error : alone.error);
  return FALSE;
}

/* -- by ranks ------------------------------------------------------------------------------------------------------ */

static void
pack_part (GByteArray *bytes, guint section, const TtPagePart *part)
{
  tt_pack_number (bytes, section);
  tt_pack_text (bytes, part->html->str);
  tt_pack_text (bytes, part->data->str);
  for (guint i = 0; i < TT_N_PAGE_SENTENCES; i++)
    tt_pack_text (bytes, part->sentences[i]);
  tt_pack_number (bytes, part->has_content);
}

static void
unpack_part (TtUnpack *from, TtPagePart *parts, guint n_parts)
{
  const guint section = (guint) tt_unpack_below (from, n_parts - 1);
  const char *html = tt_unpack_text (from), *data = tt_unpack_text (from);
  TtPagePart *part = &parts[section];

  from->is_bad |= html == NULL || data == NULL || part->html != NULL;
  if (from->is_bad)
    return;
  tt_page_part_init (part);
  g_string_append (part->html, html);
  g_string_append (part->data, data);
  for (guint i = 0; i < TT_N_PAGE_SENTENCES; i++)
    part->sentences[i] = g_strdup (tt_unpack_text (from));
  part->has_content = tt_unpack_below (from, 1) != 0;
}

/* Rank 0 has nothing to say to what it is given but that it is over. */
gboolean
tt_page_help (TtPage *self, GError **error)
{
  TtPagePart parts[G_N_ELEMENTS (tt_page_sections)] = { { 0 } };
  gint is_stopped = FALSE;
  Lane lane = { .page = self,
                .parts = parts,
                .is_stopped = &is_stopped,
                .has_alone = TRUE,
                .share = self->crew->rank - 1,
                .n_shares = self->crew->n - 1 };
  g_autoptr (GByteArray) bytes = g_byte_array_new ();

  fill_lane (&lane);
  for (guint i = 0; tt_page_sections[i] != NULL; i++)
    {
      if (lane.error == NULL && parts[i].html != NULL)
        pack_part (bytes, i, &parts[i]);
      tt_page_part_clear (&parts[i]);
    }
  if (lane.error != NULL)
    {
      g_propagate_error (error, lane.error);
      return FALSE;
    }
  self->crew->give (bytes);
  g_autoptr (GByteArray) nothing = self->crew->hear ();
  return TRUE;
}

static gboolean
take_parts (const TtCrew *crew, TtPagePart *parts, GError **error)
{
  for (guint rank = 1; rank < crew->n; rank++)
    {
      g_autoptr (GByteArray) bytes = crew->take (rank, error);
      if (bytes == NULL)
        return FALSE;
      TtUnpack from = tt_unpack_all (bytes);
      while (from.at < from.end && !from.is_bad)
        unpack_part (&from, parts, G_N_ELEMENTS (tt_page_sections) - 1);
      if (!from.is_bad)
        continue;
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "rank %u: what it says of its part of the page cannot be right",
                   rank);
      return FALSE;
    }
  return TRUE;
}

/* As rank 0, with those that need waits, or tell something. */
static gboolean
fill_with_ranks (TtPage *self, TtPagePart *parts, GError **error)
{
  gint is_stopped = FALSE;
  Lane lane = { .page = self, .parts = parts, .is_stopped = &is_stopped, .has_waits = TRUE };

  self->crew->call (self->crew->id);
  const gboolean done = fill_lane (&lane) && take_parts (self->crew, parts, &lane.error);
  return tt_crew_end (self->crew, done, lane.error, error);
}

static gboolean
fill_parts (TtPage *self, TtPagePart *parts, GError **error)
{
  gint is_stopped = FALSE;
  Lane all = { .page = self, .parts = parts, .is_stopped = &is_stopped, .has_waits = TRUE, .has_alone = TRUE };

  if (self->crew != NULL)
    return fill_with_ranks (self, parts, error);
  if (tt_readers_pay (tt_store_n_events (self->store)))
    return fill_beside (self, parts, error);
  if (fill_lane (&all))
    return TRUE;
  g_propagate_error (error, all.error);
  return FALSE;
}

/* -- together ------------------------------------------------------------------------------------------------------ */

static void
add_section (TtPage *self, const TtPageSection *section, TtPagePart *part)
{
  GString *html = self->all.html;

  if (part->html->len == 0)
    return;
  g_string_append_printf (
      html, "<section id=\"%s\" aria-labelledby=\"%s-title\" tabindex=\"-1\">\n<h2 id=\"%s-title\">%s</h2>\n",
      section->id, section->id, section->id, section->title);
  tt_page_part_add (&self->all, part);
  if (part->has_content && section->command != NULL)
    g_string_append_printf (html, "<p class=\"command\">In a terminal: <code>%s</code></p>\n", section->command);
  g_string_append (html, "</section>\n");
  g_string_append_printf (self->links, "<li><a href=\"#%s\">%s</a></li>\n", section->id, section->title);
}

gboolean
tt_page_fill (TtPage *self, GError **error)
{
  TtPagePart parts[G_N_ELEMENTS (tt_page_sections)] = { { 0 } };
  char *text = tt_plot_run_text (self->store, error);

  if (text == NULL)
    return FALSE;
  tt_page_sentence (self, TT_PAGE_RUN, text);
  gboolean is_filled = fill_parts (self, parts, error);
  for (guint i = 0; tt_page_sections[i] != NULL; i++)
    {
      if (is_filled)
        add_section (self, tt_page_sections[i], &parts[i]);
      tt_page_part_clear (&parts[i]);
    }
  return is_filled;
}
