/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "formats/otf2/old-releases.h"

#include "formats/otf2/definitions.h"

/* The types of regions of OTF2 1.0: paradigm and role. */
static const guint8 region_types[][2] = {
  { 0, 0 },  { 0, 1 }, { 1, 3 },  { 0, 1 },  { 1, 27 }, { 3, 5 },  { 3, 3 },  { 3, 6 },  { 3, 7 },
  { 3, 8 },  { 3, 9 }, { 3, 11 }, { 3, 12 }, { 3, 14 }, { 3, 15 }, { 3, 16 }, { 3, 17 }, { 3, 13 },
  { 3, 10 }, { 3, 2 }, { 3, 20 }, { 3, 22 }, { 4, 15 }, { 4, 23 }, { 4, 24 }, { 4, 25 }, { 4, 26 },
  { 1, 4 },  { 1, 4 }, { 1, 4 },  { 1, 3 },  { 1, 1 },  { 1, 3 },  { 3, 21 }, { 3, 18 }, { 3, 19 },
};

static void
modernise_region (guint64 *row)
{
  guint64 type = row[TT_OTF2_REGION_OLD_TYPE];

  if (row[TT_OTF2_REGION_CANONICAL] == TT_OTF2_UNDEFINED)
    row[TT_OTF2_REGION_CANONICAL] = row[TT_OTF2_NAME];
  if (row[TT_OTF2_REGION_PARADIGM] != TT_OTF2_UNDEFINED)
    return;
  row[TT_OTF2_REGION_PARADIGM] = type < G_N_ELEMENTS (region_types) ? region_types[type][0] : 0;
  row[TT_OTF2_REGION_ROLE] = type < G_N_ELEMENTS (region_types) ? region_types[type][1] : 0;
}

/* Before 1.2 groups of ranks were MPI's. */
static void
modernise_group (guint64 *row)
{
  static const guint8 types[] = { 0, 1, 2, 3, TT_OTF2_GROUP_RANKS, TT_OTF2_GROUP_SELF, TT_OTF2_GROUP_LOCATIONS };
  guint64 type = row[TT_OTF2_GROUP_OLD_TYPE];

  if (row[TT_OTF2_GROUP_TYPE] != TT_OTF2_UNDEFINED)
    return;
  row[TT_OTF2_GROUP_TYPE] = type < G_N_ELEMENTS (types) ? types[type] : 0;
  row[TT_OTF2_GROUP_PARADIGM] = row[TT_OTF2_GROUP_TYPE] >= TT_OTF2_GROUP_LOCATIONS ? TT_OTF2_PARADIGM_MPI : 0;
  row[TT_OTF2_GROUP_FLAGS] = 0;
}

/* Before 2.0 the value of a property was a string. */
static void
modernise_property (guint64 *row)
{
  if (row[TT_OTF2_PROPERTY_TYPE] != TT_OTF2_UNDEFINED)
    return;
  row[TT_OTF2_PROPERTY_TYPE] = 11;
  row[TT_OTF2_PROPERTY_VALUE] = row[2];
}

void
tt_otf2_modernise (guint kind, guint64 *row)
{
  switch (kind)
    {
    case TT_OTF2_REGION:
      modernise_region (row);
      break;
    case TT_OTF2_GROUP:
      modernise_group (row);
      break;
    case TT_OTF2_SYSTEM_TREE_NODE_PROPERTY:
    case TT_OTF2_LOCATION_GROUP_PROPERTY:
    case TT_OTF2_LOCATION_PROPERTY:
      modernise_property (row);
      break;
    default:
      break;
    }
}
