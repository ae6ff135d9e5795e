/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau/layout.h"

gboolean
tt_tau_layout_probe (const guint8 *head, gsize len)
{
  TtTauLayout layout;

  return tt_tau_count_magic (head, len, &layout) > 0;
}

static TtTauKind
find_kind (int64_t id, void *data)
{
  return tt_tau_edf_kind (data, id);
}

gboolean
tt_tau_layout_detect (const guint8 *head,
                      gsize len,
                      guint64 size,
                      TtTauEdf *edf,
                      TtTauLayout *layout,
                      gboolean *has_magic)
{
  bool is_magic;
  gboolean is_found = tt_tau_detect (&(TtTauHead){ head, len, size }, find_kind, edf, layout, &is_magic);

  *has_magic = is_magic;
  return is_found;
}
