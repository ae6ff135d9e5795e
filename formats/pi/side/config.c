/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/side/private.h"

#include "formats/json/scanner.h"

#include <stdarg.h>

/* pi.md section 7. */

/* -- what the parsers share --------------------------------------------------------------------- */

char *
tt_pi_side_text (const void *bytes, gsize len)
{
  return g_utf8_make_valid (bytes, (gssize) strnlen (bytes, len));
}

void
tt_pi_side_set_error (GError **error, const char *path, guint64 offset, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error (error, TT_ERROR, TT_ERROR_FORMAT, "%s: byte %" G_GUINT64_FORMAT ": %s", path, offset, text);
}

gboolean
tt_pi_side_check_repairs (const char *path, const TtRepairs *repairs, GError **error)
{
  static const struct
  {
    TtRepairKind kind;
    const char *text;
  } losses[] = {
    { TT_REPAIR_JSON_UNCLOSED, "cut short" },
    { TT_REPAIR_JSON_CUT, "cut short" },
    { TT_REPAIR_JSON_DAMAGED, "not JSON" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (losses); i++)
    if (repairs->count[losses[i].kind] > 0)
      {
        tt_pi_side_set_error (error, path, repairs->first_offset[losses[i].kind], "%s", losses[i].text);
        return FALSE;
      }
  return TRUE;
}

/* -- replay_config.json ------------------------------------------------------------------------- */

void
tt_pi_config_free (TtPiConfig *self)
{
  if (self == NULL)
    return;
  g_free (self->command);
  g_free (self->executable);
  g_free (self->record_mode);
  g_strfreev (self->arguments);
  g_free (self);
}

/* The items of the array that comes next; what is no text is left out. */
static GStrv
read_texts (TtJson *json, GError **error)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  GError *fault = NULL;

  if (!tt_json_begin_array (json, error))
    return NULL;
  while (fault == NULL && tt_json_next_item (json, &fault))
    {
      TtJsonValue value;

      if (tt_json_value (json, &value, &fault) && value.kind == TT_JSON_STRING)
        g_ptr_array_add (texts, tt_json_text (&value));
    }
  if (fault != NULL)
    {
      g_propagate_error (error, fault);
      return NULL;
    }
  g_ptr_array_add (texts, NULL);
  return (GStrv) g_ptr_array_free (g_steal_pointer (&texts), FALSE);
}

typedef struct
{
  const char *key;
  gsize offset; /* in TtPiConfig */
  gboolean is_text;
} Member;

static const Member members[] = {
  { "command", G_STRUCT_OFFSET (TtPiConfig, command), TRUE },
  { "executable", G_STRUCT_OFFSET (TtPiConfig, executable), TRUE },
  { "recordMode", G_STRUCT_OFFSET (TtPiConfig, record_mode), TRUE },
  { "hasOpenCLPlugin", G_STRUCT_OFFSET (TtPiConfig, has_opencl), FALSE },
  { "hasLevelZeroPlugin", G_STRUCT_OFFSET (TtPiConfig, has_level_zero), FALSE },
  { "hasCUDAPlugin", G_STRUCT_OFFSET (TtPiConfig, has_cuda), FALSE },
  { "hasROCmPlugin", G_STRUCT_OFFSET (TtPiConfig, has_rocm), FALSE },
};

static void
take_member (TtPiConfig *self, const Member *member, const TtJsonValue *value)
{
  if (member->is_text && value->kind == TT_JSON_STRING)
    {
      char **text = G_STRUCT_MEMBER_P (self, member->offset);

      g_free (*text);
      *text = tt_json_text (value);
    }
  else if (!member->is_text)
    G_STRUCT_MEMBER (gboolean, self, member->offset) = value->kind == TT_JSON_TRUE;
}

static gboolean
read_config (TtJson *json, TtPiConfig *self, GError **error)
{
  TtJsonValue key, value;
  GError *fault = NULL;

  if (!tt_json_begin_object (json, error))
    return FALSE;
  while (fault == NULL && tt_json_next_key (json, &key, &fault))
    {
      g_autofree char *name = tt_json_text (&key);

      if (g_str_equal (name, "arguments") && tt_json_peek (json, &fault) == TT_JSON_ARRAY)
        {
          g_strfreev (self->arguments);
          self->arguments = read_texts (json, &fault);
          continue;
        }
      for (guint i = 0; fault == NULL && i < G_N_ELEMENTS (members); i++)
        if (g_str_equal (name, members[i].key) && tt_json_value (json, &value, &fault))
          {
            take_member (self, &members[i], &value);
            break;
          }
    }
  if (fault == NULL)
    return TRUE;
  g_propagate_error (error, fault);
  return FALSE;
}

TtPiConfig *
tt_pi_config_parse (const char *path, GBytes *bytes, GError **error)
{
  g_autoptr (TtPiConfig) self = g_new0 (TtPiConfig, 1);
  g_autoptr (TtInput) input = tt_input_open_bytes (path, bytes, error);
  TtRepairs repairs = { 0 };

  if (input == NULL)
    return NULL;
  g_autoptr (TtJson) json = tt_json_new (input, &repairs);
  if (!read_config (json, self, error) || !tt_pi_side_check_repairs (path, &repairs, error))
    return NULL;
  if (self->arguments == NULL)
    self->arguments = g_new0 (char *, 1);
  return g_steal_pointer (&self);
}

/* -- files_config.json and env -------------------------------------------------------------------- */

GStrv
tt_pi_files_parse (const char *path, GBytes *bytes, GError **error)
{
  g_autoptr (TtInput) input = tt_input_open_bytes (path, bytes, error);
  g_auto (GStrv) files = NULL;
  TtRepairs repairs = { 0 };
  GError *fault = NULL;

  if (input == NULL)
    return NULL;
  g_autoptr (TtJson) json = tt_json_new (input, &repairs);
  /* The recorder writes null where it saw no file. */
  if (tt_json_peek (json, &fault) == TT_JSON_NULL)
    return g_new0 (char *, 1);
  if (fault == NULL)
    files = read_texts (json, &fault);
  if (fault != NULL)
    {
      g_propagate_error (error, fault);
      return NULL;
    }
  return tt_pi_side_check_repairs (path, &repairs, error) ? g_steal_pointer (&files) : NULL;
}

GStrv
tt_pi_environment_parse (GBytes *bytes)
{
  gsize len;
  const char *text = g_bytes_get_data (bytes, &len);
  const char *end = len > 0 ? text + len : text; /* no contents lie nowhere */
  GPtrArray *lines = g_ptr_array_new ();

  while (text < end)
    {
      const char *newline = memchr (text, '\n', (gsize) (end - text));
      const char *stop = newline != NULL ? newline : end;

      if (stop > text)
        g_ptr_array_add (lines, tt_pi_side_text (text, (gsize) (stop - text)));
      text = newline != NULL ? newline + 1 : end;
    }
  g_ptr_array_add (lines, NULL);
  return (GStrv) g_ptr_array_free (lines, FALSE);
}
