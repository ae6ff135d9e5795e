/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/pi/side/private.h"

#include <string.h>

/* Any bytes as a descriptor of a device image, in either layout. */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

static gsize
check_text (const char *text)
{
  g_assert_true (text != NULL && g_utf8_validate (text, -1, NULL));
  return strlen (text);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  g_autoptr (GBytes) contents = g_bytes_new (bytes, len);
  g_autoptr (GError) error = NULL;
  g_autoptr (TtPiImage) image = tt_pi_image_parse ("0.desc", contents, &error);

  g_assert_true ((image == NULL) == (error != NULL));
  if (image == NULL)
    {
      g_assert_true (g_str_has_prefix (error->message, "0.desc: byte "));
      return 0;
    }

  /* An invalid byte takes three as U+FFFD. */
  gsize n = check_text (image->target) + check_text (image->compile_options) + check_text (image->link_options);
  for (guint i = 0; i < image->entries->len; i++)
    n += check_text (((const TtPiEntry *) image->entries->pdata[i])->name);
  for (guint i = 0; i < image->property_sets->len; i++)
    {
      const TtPiPropertySet *set = image->property_sets->pdata[i];

      n += check_text (set->name);
      for (guint k = 0; k < set->properties->len; k++)
        n += check_text (((const TtPiProperty *) set->properties->pdata[k])->name);
    }
  g_assert_cmpuint (n, <=, 3 * len);
  return 0;
}
