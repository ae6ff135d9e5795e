/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

/* A build without the library still has declarations here: ISO C wants some. */
#include <glib.h>

#ifdef HAVE_BABELTRACE2

#include "formats/ctf/decode-private.h"

#include <string.h>

char *
tt_ctf_take_causes (void)
{
  const bt_error *failed = bt_current_thread_take_error ();
  g_autoptr (GString) text = g_string_new (NULL);

  if (failed == NULL)
    return g_strdup ("babeltrace2 gives no reason");
  for (guint64 i = bt_error_get_cause_count (failed); i-- > 0;)
    {
      const char *message = bt_error_cause_get_message (bt_error_borrow_cause_by_index (failed, i));
      const char *detail = strstr (message, ": "); /* followed by the library's own objects */
      gsize len = detail != NULL && strstr (detail, "-addr=0x") != NULL ? (gsize) (detail - message) : strlen (message);
      g_autofree char *cause = g_strstrip (g_strndup (message, len));

      if (*cause != '\0' && g_str_has_suffix (cause, "."))
        cause[strlen (cause) - 1] = '\0';
      g_string_append_printf (text, "%s%s", text->len > 0 ? "; because: " : "", cause);
    }
  bt_error_release (failed);
  g_string_replace (text, "\n", " ", 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

#endif
