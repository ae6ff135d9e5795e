#include "config.h"

#include "formats/exporter.h"

#include "src/base/error.h"
#include "src/base/suggest.h"

/* To add an exporter: write its folder, declare it in exporter.h, list it here and in local.mk. */
const TtExporter *const tt_exporters[] = {
  &tt_exporter_chrome,
  NULL,
};

const TtExporter *
tt_exporter_by_name (const char *name, GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  for (guint i = 0; tt_exporters[i] != NULL; i++)
    {
      if (g_str_equal (tt_exporters[i]->name, name))
        return tt_exporters[i];
      g_ptr_array_add (words, (gpointer) tt_exporters[i]->name);
    }
  g_ptr_array_add (words, NULL);

  const char *near = tt_suggest (name, (const char *const *) words->pdata);
  g_set_error (error, TT_ERROR, TT_ERROR_USAGE, "no output format is called '%s'; %s '%s'", name,
               near != NULL ? "did you mean" : "there is", near != NULL ? near : tt_exporters[0]->name);
  return NULL;
}
