/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/fingerprint.h"

#include "src/base/input.h"

gboolean
tt_ctf_join_hashes (const TtInputSet *set, TtHashAhead *ahead, guint64 *bytes, char **hash, GError **error)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_MD5);

  *bytes = 0;
  for (guint i = 0; i < set->paths->len; i++)
    {
      guint64 disk_bytes;
      g_autofree char *digest = tt_hash_ahead_take (ahead, i, &disk_bytes, error);

      if (digest == NULL)
        return FALSE;
      g_checksum_update (sum, (const guchar *) digest, -1);
      *bytes += disk_bytes;
    }
  *hash = g_strdup (g_checksum_get_string (sum));
  return TRUE;
}

gboolean
tt_ctf_fingerprint (const TtInputSet *set, guint64 *bytes, char **hash, GError **error)
{
  if (hash != NULL)
    {
      g_autoptr (TtHashAhead) ahead = tt_hash_ahead_new (set->paths);
      return tt_ctf_join_hashes (set, ahead, bytes, hash, error);
    }
  *bytes = 0;
  for (guint i = 0; i < set->paths->len; i++)
    {
      g_autoptr (TtInput) input = tt_input_open (set->paths->pdata[i], error);

      if (input == NULL)
        return FALSE;
      *bytes += tt_input_disk_bytes (input);
    }
  return TRUE;
}
