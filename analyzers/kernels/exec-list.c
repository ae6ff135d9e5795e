/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "analyzers/kernels/exec-list.h"

#include "src/base/compare.h"

struct _TtExecList
{
  TtKernelConfigReader reader;
  GArray *configs; /* of TtKernelConfig */
  GArray *items;
};

TtExecList *
tt_exec_list_new (TtKernelConfigReader reader)
{
  TtExecList *self = g_new0 (TtExecList, 1);

  self->reader = reader;
  self->configs = g_array_new (FALSE, FALSE, sizeof (TtKernelConfig));
  self->items = g_array_new (FALSE, FALSE, sizeof (TtExecItem));
  return self;
}

void
tt_exec_list_free (TtExecList *self)
{
  if (self == NULL)
    return;
  g_array_unref (self->configs);
  g_array_unref (self->items);
  g_free (self);
}

guint32
tt_exec_list_read (TtExecList *self, const char *args, gsize args_len)
{
  TtKernelConfig config;

  self->reader (args, args_len, &config);
  g_array_append_val (self->configs, config);
  return self->configs->len - 1;
}

void
tt_exec_list_add (TtExecList *self, const TtExecItem *item, guint32 config)
{
  TtExecItem whole = *item;

  whole.config = g_array_index (self->configs, TtKernelConfig, config);
  g_array_append_val (self->items, whole);
}

static int
compare_items (gconstpointer a, gconstpointer b)
{
  const TtExecItem *x = a, *y = b;
  int order = TT_COMPARE (x->api.begin_ns, y->api.begin_ns);

  if (order == 0)
    order = TT_COMPARE (x->work.begin_ns, y->work.begin_ns);
  if (order == 0)
    order = TT_COMPARE (x->thread, y->thread);
  if (order == 0)
    order = TT_COMPARE (x->stream, y->stream);
  if (order == 0)
    order = TT_COMPARE (x->work.end_ns, y->work.end_ns);
  return order != 0 ? order : TT_COMPARE (x->kernel, y->kernel);
}

void
tt_exec_list_finish (TtExecList *self)
{
  g_array_sort (self->items, compare_items);
}

const GArray *
tt_exec_list_items (const TtExecList *self)
{
  return self->items;
}
