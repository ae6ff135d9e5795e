/* SPDX-License-Identifier: Apache-2.0 */
/* page.html with its places filled. */
#include "config.h"

#include "src/base/version.h"
#include "src/cli/page/page-texts.h"
#include "src/cli/page/page.h"
#include "src/cli/run-facts.h"

#include <string.h>

static void
write_escaped (TtOutput *out, const char *text)
{
  g_autoptr (GString) html = g_string_new (NULL);

  tt_page_escape (html, text);
  tt_output_bytes (out, html->str, html->len);
}

static void
write_title (const TtPage *self, TtOutput *out)
{
  g_autofree char *name = g_path_get_basename (self->label);

  write_escaped (out, name);
}

/* The policy names the one script that may run by its digest. */
static void
write_script_digest (const TtPage *self, TtOutput *out)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  guint8 digest[32];
  gsize len = sizeof digest;

  g_checksum_update (checksum, page_js, sizeof page_js);
  g_checksum_update (checksum, timeline_js, sizeof timeline_js);
  g_checksum_get_digest (checksum, digest, &len);
  g_autofree char *text = g_base64_encode (digest, len);
  tt_output_printf (out, "sha256-%s", text);
}

static void
write_style (const TtPage *self, TtOutput *out)
{
  tt_output_bytes (out, (const char *) page_css, sizeof page_css);
}

static void
write_script (const TtPage *self, TtOutput *out)
{
  tt_output_bytes (out, (const char *) page_js, sizeof page_js);
  tt_output_bytes (out, (const char *) timeline_js, sizeof timeline_js);
}

static void
write_summary (const TtPage *self, TtOutput *out)
{
  static const char *const titles[] = {
    [TT_PAGE_RUN] = "The run",
    [TT_PAGE_BOUND] = "What bounds it",
    [TT_PAGE_WAITS] = "Who waits for whom",
    [TT_PAGE_LOOK] = "What to look at first",
    [TT_PAGE_TRUST] = "How far to trust it",
  };

  for (guint i = 0; i < TT_N_PAGE_SENTENCES; i++)
    {
      if (self->all.sentences[i] == NULL)
        continue;
      tt_output_printf (out, "<dt>%s</dt><dd>", titles[i]);
      write_escaped (out, self->all.sentences[i]);
      tt_output_literal (out, "</dd>\n");
    }
}

static void
write_links (const TtPage *self, TtOutput *out)
{
  tt_output_bytes (out, self->links->str, self->links->len);
}

static void
write_sections (const TtPage *self, TtOutput *out)
{
  tt_output_bytes (out, self->all.html->str, self->all.html->len);
}

static void
write_data (const TtPage *self, TtOutput *out)
{
  tt_output_printf (out, "{\"ticks\":%s%s\n", tt_store_is_ticks (self->store) ? "true" : "false",
                    self->all.data->len > 0 ? "," : "");
  tt_output_bytes (out, self->all.data->str, self->all.data->len);
  tt_output_literal (out, "}");
}

static void
write_version (const TtPage *self, TtOutput *out)
{
  tt_output_literal (out, PACKAGE_VERSION);
}

static const struct
{
  const char *word;
  void (*write) (const TtPage *self, TtOutput *out);
} places[] = {
  { "{{title}}", write_title },     { "{{digest}}", write_script_digest }, { "{{style}}", write_style },
  { "{{summary}}", write_summary }, { "{{links}}", write_links },          { "{{sections}}", write_sections },
  { "{{data}}", write_data },       { "{{script}}", write_script },        { "{{version}}", write_version },
};

/* Length of the place that begins at @text, which it writes; 0: none does. */
static gsize
fill_place (const TtPage *self, const char *text, gsize left, TtOutput *out)
{
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      gsize len = strlen (places[i].word);

      if (left >= len && memcmp (text, places[i].word, len) == 0)
        {
          places[i].write (self, out);
          return len;
        }
    }
  return 0;
}

void
tt_page_write (const TtPage *self, TtOutput *out)
{
  const char *text = (const char *) page_html;
  gsize size = sizeof page_html, from = 0;

  for (gsize at = 0; at < size;)
    {
      if (text[at] != '{')
        {
          at++;
          continue;
        }
      tt_output_bytes (out, text + from, at - from);
      gsize len = fill_place (self, text + at, size - at, out);
      from = at + len;
      at = from + (len == 0);
    }
  tt_output_bytes (out, text + from, size - from);
}
