/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/mpi/libraries.h"

#include <glib.h>

#ifdef __GLIBC__

#include <dlfcn.h>
#include <link.h>

static int
note_name (struct dl_phdr_info *info, size_t size, void *data)
{
  (void) size;
  if (info->dlpi_name != NULL && info->dlpi_name[0] != '\0')
    g_ptr_array_add (data, g_strdup (info->dlpi_name));
  return 0;
}

void
tt_mpi_keep_libraries (void)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  dl_iterate_phdr (note_name, names);
  for (guint i = 0; i < names->len; i++)
    (void) dlopen (names->pdata[i], RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

#else

void
tt_mpi_keep_libraries (void)
{
}

#endif
