/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "graphs/nccl/links.h"

#include "src/base/compare.h"

int
tt_nccl_link_compare (gconstpointer a, gconstpointer b)
{
  const TtNcclLink *x = a, *y = b;
  int order = TT_COMPARE (x->algo, y->algo);

  if (order == 0)
    order = TT_COMPARE (x->channel, y->channel);
  if (order == 0)
    order = TT_COMPARE (x->from, y->from);
  if (order == 0)
    order = TT_COMPARE (x->to, y->to);
  return order != 0 ? order : g_strcmp0 (x->transport, y->transport);
}

int
tt_nccl_link_compare_backward (gconstpointer a, gconstpointer b, gpointer links)
{
  const TtNcclLink *x = &g_array_index ((GArray *) links, TtNcclLink, *(const guint *) a);
  const TtNcclLink *y = &g_array_index ((GArray *) links, TtNcclLink, *(const guint *) b);
  int order = TT_COMPARE (x->algo, y->algo);

  if (order == 0)
    order = TT_COMPARE (x->channel, y->channel);
  if (order == 0)
    order = TT_COMPARE (x->to, y->to);
  return order != 0 ? order : TT_COMPARE (x->from, y->from);
}

const TtNcclLink *
tt_nccl_link_backward (const TtNccl *self, guint i)
{
  return tt_nccl_link (self, g_array_index (self->backward, guint, i));
}

guint
tt_nccl_link_first_from (const TtNccl *self, TtNcclAlgo algo, guint channel, gint from)
{
  guint low = 0, high = self->links->len;
  const TtNcclLink key = { .algo = algo, .channel = channel, .from = from, .to = G_MININT };

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (tt_nccl_link_compare (tt_nccl_link (self, middle), &key) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

guint
tt_nccl_link_first_to (const TtNccl *self, TtNcclAlgo algo, guint channel, gint to)
{
  guint low = 0, high = self->backward->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      const TtNcclLink *link = tt_nccl_link_backward (self, middle);
      gboolean is_before = link->algo != algo         ? link->algo < algo
                           : link->channel != channel ? link->channel < channel
                                                      : link->to < to;
      if (is_before)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

gint
tt_nccl_link_target (const TtNccl *self, TtNcclAlgo algo, guint channel, gint from)
{
  guint i = tt_nccl_link_first_from (self, algo, channel, from);
  const TtNcclLink *link = i < self->links->len ? tt_nccl_link (self, i) : NULL;

  return link != NULL && link->algo == algo && link->channel == channel && link->from == from ? link->to : TT_NCCL_NONE;
}
