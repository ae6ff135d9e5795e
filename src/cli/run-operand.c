/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/run-operand.h"

#include "src/base/look.h"
#include "src/base/paths.h"
#include "src/cli/import-shards.h"
#include "src/cli/session.h"

#include <string.h>

static gboolean
is_number (const char *text)
{
  return *text != '\0' && text[strspn (text, "0123456789")] == '\0';
}

gboolean
tt_run_operand_is_number (const char *text)
{
  return is_number (text) && !tt_look_test (text, G_FILE_TEST_EXISTS);
}

TtStore *
tt_run_operand_open (const TtContext *context, const char *text, GError **error)
{
  g_autofree char *path = g_strdup (text);
  char *colon = strrchr (path, ':');
  TtContext own = *context;

  own.db_given = FALSE;
  own.run = NULL;
  if (tt_run_operand_is_number (text))
    {
      own.run = text;
      return tt_command_open_store (&own, NULL, error);
    }
  if (colon != NULL && is_number (colon + 1) && !tt_look_test (text, G_FILE_TEST_EXISTS))
    {
      *colon = '\0';
      own.run = colon + 1;
      if (!tt_path_is_database (path) && !tt_import_shards_are (path))
        {
          g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "'%s' is no file, and '%s' is no database with runs", text,
                       path);
          return NULL;
        }
    }
  return tt_command_open_store (&own, (char *[]){ path, NULL }, error);
}
