/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/ctf/metadata.h"
#include "formats/ctf/plans.h"
#include "formats/ctf/schema/read.h"
#include "tests/fuzz/ctf-schema.h"

#include <string.h>

/*
 * Any bytes as a file of CTF metadata: text, packets, or neither; and the text as a schema. What holds: it is a schema or
 * there is a reason, its types are no deeper than they may be, and what refers to a field has one.
 */

int LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len);

static void
read_text (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TtCtfSchema) schema = tt_ctf_schema_read ("fuzz", text, &error);

  g_assert ((schema == NULL) == (error != NULL));
  if (schema == NULL)
    return;
  g_autoptr (TtCtfPlans) plans = tt_ctf_plans_new (schema);
  g_assert (tt_ctf_plans_schema (plans) == schema);
  fuzz_look_at_schema (schema);
}

int
LLVMFuzzerTestOneInput (const guint8 *bytes, size_t len)
{
  g_autoptr (GError) error = NULL;
  gboolean is_cut;
  g_autofree char *text = tt_ctf_metadata_text ("fuzz", bytes, len, &is_cut, &error);

  g_assert ((text == NULL) == (error != NULL));
  if (text == NULL)
    return 0;
  g_assert (g_str_has_prefix (text, "/* CTF 1") || *text == '\x1e');
  g_assert (strlen (text) <= len + strlen ("/* CTF 1.8 */"));
  read_text (text);
  return 0;
}
