/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/chrome-export/titles.h"

#include <string.h>

static gboolean
is_number (const char *text)
{
  return *text != '\0' && text[strspn (text, "0123456789")] == '\0';
}

/* Without repeating itself. */
static void
set_title (GString *title, const char *kind, const char *id, const char *label)
{
  if (label != NULL && *label != '\0')
    {
      gboolean says_all = is_number (id) || *id == '\0' || strstr (label, id) != NULL;
      g_string_printf (title, "%s%s%s", says_all ? "" : id, says_all ? "" : ": ", label);
    }
  else if (is_number (id) || *id == '\0')
    g_string_printf (title, "%s %s", kind, *id != '\0' ? id : "?");
  else
    g_string_assign (title, id);
}

const char *
tt_chrome_process_title (TtChrome *self, guint32 id)
{
  const ChromeProcess *process = tt_chrome_process_at (self, id);

  set_title (self->scratch, process->rank >= 0 ? "rank" : "process", process->pid, process->label);
  if (process->counts_ticks)
    g_string_append (self->scratch, " [ticks]");
  return self->scratch->str;
}

const char *
tt_chrome_thread_title (TtChrome *self, const ChromeThread *thread)
{
  set_title (self->scratch, "thread", thread->tid, thread->label);
  return self->scratch->str;
}

static gboolean
stands_in_text (const TtStoredName *name, const char *raw)
{
  gsize skip = name->op_cat != NULL ? strlen (name->op_cat) + 1 : 0, len = strlen (raw);
  const char *text = name->text != NULL ? name->text : "";

  if (strlen (text) < skip + len || memcmp (text + skip, raw, len) != 0)
    return FALSE;
  return text[skip + len] == '\0' || (text[skip + len] == '.' && g_strcmp0 (text + skip + len + 1, name->sub_op) == 0);
}

static gboolean
shows_raw_name (const TtChrome *self, const TtStoredName *name)
{
  return self->options->original_names && name->raw != NULL && *name->raw != '\0';
}

const char *
tt_chrome_shown_name (const TtChrome *self, const TtStoredName *name)
{
  if (shows_raw_name (self, name))
    return name->raw;
  return name->text != NULL ? name->text : "";
}

gboolean
tt_chrome_has_raw_name (const TtChrome *self, const TtStoredName *name)
{
  if (self->options->original_names)
    return !shows_raw_name (self, name);
  return name->raw != NULL && !stands_in_text (name, name->raw);
}
