/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/tau-export/profile-private.h"

guint
tt_profile_key_hash (gconstpointer data)
{
  const TtProfileKey *key = data;

  return key->thread * 2654435761u ^ key->id * 40503u;
}

gboolean
tt_profile_key_equal (gconstpointer a, gconstpointer b)
{
  const TtProfileKey *one = a, *other = b;

  return one->thread == other->thread && one->id == other->id;
}
