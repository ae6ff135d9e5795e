/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/probe-file.h"

#include "formats/neutrino/compile.h"
#include "formats/neutrino/lexer.h"
#include "formats/neutrino/toml-read.h"
#include "src/cli/message.h"
#include "src/cli/whole-file.h"

static char *
compile (const char *name, const GByteArray *source, const char *target, int *status)
{
  g_autoptr (TtNlProgram) program = tt_nl_program_new (name, (const char *) source->data, source->len);
  g_autoptr (GString) toml = g_string_new (NULL), messages = g_string_new (NULL);
  gboolean ok = tt_nl_program_is_good (program);

  if (ok)
    {
      tt_nl_program_be_scalar (program);
      ok = tt_nl_program_write (program, tt_nl_target_find (target, NULL), toml);
    }
  tt_nl_program_print_messages (program, messages);
  tt_message_lines (messages->str);
  *status = 1;
  return ok ? g_string_free (g_steal_pointer (&toml), FALSE) : NULL;
}

char *
tt_probe_file_read (const char *path, const char *target, int *status, GError **error)
{
  gboolean is_toml = g_str_has_suffix (path, ".toml");
  g_autoptr (GByteArray) bytes = tt_whole_file_read (path, is_toml ? TT_NL_TOML_MAX_BYTES : TT_NL_MAX_BYTES, error);

  if (bytes == NULL)
    return NULL;
  return is_toml ? g_strndup ((const char *) bytes->data, bytes->len) : compile (path, bytes, target, status);
}
