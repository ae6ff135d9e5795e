/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/trace-event/standard-name.h"

#include <string.h>

#define LITERAL(text) ((TtSlice){ "" text, sizeof (text) - 1 })

/* Where a dot follows. */
static const char *const dotted[] = {
  "FW", "BW", "Comm", "UPDATE_", "OUTPUT", "I/O", "COMP", "MEM", "SYNC", "RT", "ServerOp",
};

static TtSlice
from (TtSlice text, gsize at)
{
  return (TtSlice){ text.bytes + at, text.len - at };
}

static TtSlice
up_to (TtSlice text, gsize at)
{
  return (TtSlice){ text.bytes, at };
}

static gboolean
is_number (TtSlice text)
{
  for (gsize i = 0; i < text.len; i++)
    if (!g_ascii_isdigit (text.bytes[i]))
      return FALSE;
  return text.len > 0;
}

static gboolean
begins_with (TtSlice text, const char *word)
{
  gsize len = strlen (word);

  return text.len > len && memcmp (text.bytes, word, len) == 0;
}

static void
split_suffix (TtSlice *text, TtSlice *suffix)
{
  const char *arrow = text->len < 2 ? NULL : memmem (text->bytes, text->len, "~>", 2);

  if (arrow == NULL)
    return;
  gsize at = (gsize) (arrow - text->bytes);
  *suffix = from (*text, at + 2);
  *text = up_to (*text, at);
}

/* UPDATE_CAL, UPDATE_3, OUTPUT0, I/O_0, END. */
static gboolean
split_undotted (TtSlice text, TtStandardName *name)
{
  static const struct
  {
    const char *before, *op_cat;
  } forms[] = { { "UPDATE_", "UPDATE_" }, { "OUTPUT", "OUTPUT" }, { "I/O_", "I/O" } };

  if (TT_SLICE_IS (text, "END"))
    {
      name->op_cat = LITERAL ("virtual");
      name->op_name = text;
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (forms); i++)
    {
      TtSlice rest;

      if (!begins_with (text, forms[i].before))
        continue;
      rest = from (text, strlen (forms[i].before));
      if (!is_number (rest) && !(i == 0 && TT_SLICE_IS (rest, "CAL")) && i != 2)
        continue;
      name->op_cat = up_to (text, strlen (forms[i].op_cat));
      name->op_name = rest;
      return TRUE;
    }
  return FALSE;
}

gboolean
tt_standard_name_split (TtSlice text, TtStandardName *name)
{
  memset (name, 0, sizeof *name);
  split_suffix (&text, &name->suffix);

  const char *dot = memchr (text.bytes, '.', text.len);
  if (dot == NULL)
    return split_undotted (text, name);

  gsize at = (gsize) (dot - text.bytes);
  for (guint i = 0; i < G_N_ELEMENTS (dotted); i++)
    {
      if (!tt_slice_is (up_to (text, at), dotted[i], strlen (dotted[i])))
        continue;
      name->op_cat = up_to (text, at);
      name->op_name = from (text, at + 1);
      dot = memchr (name->op_name.bytes, '.', name->op_name.len);
      if (dot != NULL)
        {
          at = (gsize) (dot - name->op_name.bytes);
          name->sub_op = from (name->op_name, at + 1);
          name->op_name = up_to (name->op_name, at);
        }
      if (TT_SLICE_IS (name->sub_op, "REC"))
        name->sub_op = LITERAL ("RECV");
      return name->op_name.len > 0;
    }
  return FALSE;
}
