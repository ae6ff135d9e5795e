/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/gcn/metadata.h"

#include <string.h>

#define MOST_ARGUMENTS 4096u

TtGcnKernel *
tt_gcn_kernel_new (void)
{
  TtGcnKernel *self = g_new0 (TtGcnKernel, 1);

  self->descriptor = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  self->arguments = g_array_new (FALSE, TRUE, sizeof (TtGcnArgument));
  return self;
}

void
tt_gcn_kernel_free (gpointer data)
{
  TtGcnKernel *self = data;

  g_hash_table_unref (self->descriptor);
  g_array_unref (self->arguments);
  g_free (self);
}

TtGcnKernel *
tt_gcn_kernel_find (TtGcnModule *module, const char *name)
{
  for (guint i = 0; i < module->kernels->len; i++)
    if (g_strcmp0 (((TtGcnKernel *) module->kernels->pdata[i])->name, name) == 0)
      return module->kernels->pdata[i];
  TtGcnKernel *kernel = tt_gcn_kernel_new ();
  kernel->name = g_string_chunk_insert_const (module->words, name);
  g_ptr_array_add (module->kernels, kernel);
  return kernel;
}

/* What was read goes to the kernel that has the name. */
void
tt_gcn_metadata_end (TtGcnMetadata *self)
{
  TtGcnKernel *read = self->kernel;

  self->kernel = NULL;
  self->argument = NULL;
  if (read == NULL)
    return;
  if (read->name != NULL)
    {
      TtGcnKernel *own = tt_gcn_kernel_find (self->module, read->name);

      g_array_set_size (own->arguments, 0);
      if (read->arguments->len > 0)
        g_array_append_vals (own->arguments, read->arguments->data, read->arguments->len);
    }
  tt_gcn_kernel_free (read);
}

/* Key and value of ".offset:   8"; FALSE: there are none. */
static gboolean
split (const char *line, char **key, char **value)
{
  const char *colon = strchr (line, ':');

  if (*line != '.' || colon == NULL)
    return FALSE;
  *key = g_strndup (line + 1, (gsize) (colon - line) - 1);
  *value = g_strstrip (g_strdup (colon + 1));
  gsize len = strlen (*value);
  if (len > 1 && (**value == '\'' || **value == '"') && (*value)[len - 1] == **value)
    {
      memmove (*value, *value + 1, len - 2);
      (*value)[len - 2] = '\0';
    }
  return TRUE;
}

static void
set_argument (TtGcnMetadata *self, const char *key, const char *value)
{
  if (g_str_equal (key, "offset"))
    self->argument->offset = g_ascii_strtoull (value, NULL, 10);
  else if (g_str_equal (key, "size"))
    self->argument->size = g_ascii_strtoull (value, NULL, 10);
  else if (g_str_equal (key, "value_kind"))
    self->argument->kind = g_string_chunk_insert_const (self->module->words, value);
  else if (g_str_equal (key, "name"))
    self->argument->name = g_string_chunk_insert_const (self->module->words, value);
}

void
tt_gcn_metadata_line (TtGcnMetadata *self, const char *line)
{
  gsize indent = strspn (line, " \t");
  const char *at = line + indent;
  g_autofree char *key = NULL, *value = NULL;

  if (indent == 0)
    {
      tt_gcn_metadata_end (self);
      self->has_begun = g_str_has_prefix (line, "amdhsa.kernels:");
      return;
    }
  if (!self->has_begun)
    return;
  if (g_str_has_prefix (at, "- ") && indent <= 3)
    {
      tt_gcn_metadata_end (self);
      self->kernel = tt_gcn_kernel_new ();
    }
  else if (g_str_has_prefix (at, "- ") && self->in_arguments && self->kernel != NULL &&
           self->kernel->arguments->len < MOST_ARGUMENTS)
    {
      TtGcnArgument argument = { 0 };

      g_array_append_val (self->kernel->arguments, argument);
      self->argument = &g_array_index (self->kernel->arguments, TtGcnArgument, self->kernel->arguments->len - 1);
    }
  gboolean begins = g_str_has_prefix (at, "- ");
  if (!begins && indent <= 4)
    self->argument = NULL;
  at += begins ? 2 : 0;
  if (self->kernel == NULL || !split (at, &key, &value))
    return;
  if (self->argument != NULL)
    {
      set_argument (self, key, value);
      return;
    }
  self->in_arguments = g_str_equal (key, "args");
  if (g_str_equal (key, "name"))
    self->kernel->name = g_string_chunk_insert_const (self->module->words, value);
}
