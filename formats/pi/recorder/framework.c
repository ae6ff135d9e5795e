/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "formats/pi/recorder/framework.h"

#include <dlfcn.h>
#include <stdlib.h>

/* The dispatcher is in the process. A framework that loads it with local visibility has its library found by name. */
void *
tt_record_framework (const char *name)
{
  void *found = dlsym (RTLD_DEFAULT, name);
  const char *dispatcher = getenv ("XPTI_FRAMEWORK_DISPATCHER");

  if (found == NULL && dispatcher != NULL)
    {
      void *library = dlopen (dispatcher, RTLD_LAZY | RTLD_NOLOAD);
      if (library != NULL)
        {
          found = dlsym (library, name);
          dlclose (library);
        }
    }
  return found;
}
