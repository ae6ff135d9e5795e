/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/neutrino-trace/log-private.h"

#include <string.h>

gboolean
tt_neutrino_log_is_word (const LogReader *self, guint i, const char *text)
{
  return i < self->n && g_str_equal (self->word[i], text);
}

gboolean
tt_neutrino_log_number_at (const LogReader *self, guint i, guint64 most, guint64 *number)
{
  return i < self->n && g_ascii_string_to_unsigned (self->word[i], 10, 0, most, number, NULL);
}

gboolean
tt_neutrino_log_address_at (const LogReader *self, guint i, guint64 *address)
{
  const char *text = i < self->n ? self->word[i] : "";

  return g_ascii_string_to_unsigned (g_str_has_prefix (text, "0x") ? text + 2 : text, 16, 0, G_MAXUINT64, address,
                                     NULL);
}

const char *
tt_neutrino_log_text_after (const LogReader *self, guint i)
{
  const char *text = self->lines.text->str;

  for (guint k = 0; k <= i; k++)
    {
      text += strspn (text, " ");
      text += strcspn (text, " ");
    }
  return text + strspn (text, " ");
}

void
tt_neutrino_log_odd_line (LogReader *self)
{
  tt_repairs_add (&self->log->repairs, TT_REPAIR_ODD_RECORD, self->lines.offset);
}
