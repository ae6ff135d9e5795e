#include "config.h"

#include "formats/tau/layout.h"

const char *
tt_tau_layout_text (TtTauLayout layout)
{
  static const char *const texts[TT_TAU_N_LAYOUTS] = {
    "24-byte records, little endian",
    "24-byte records, big endian",
    "32-byte records, little endian",
    "32-byte records, big endian",
  };

  return texts[layout];
}

gboolean
tt_tau_layout_probe (const guint8 *head, gsize len)
{
  TtTauLayout layout;

  return tt_tau_count_magic (head, len, &layout) > 0;
}

static TtTauKind
kind_of (int64_t id, void *data)
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
  gboolean is_found = tt_tau_detect (head, len, size, kind_of, edf, layout, &is_magic);

  *has_magic = is_magic;
  return is_found;
}
