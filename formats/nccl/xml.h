/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TtNcclXml: the files that NCCL writes and reads itself: topologies (`<system>`: cpus, PCI devices, GPUs, NVLinks,
 * networks) and graphs (`<graphs>`: the order of GPUs in each channel of rings and trees).
 *
 * A flat list of the elements in the order of the file. Hostile files end in an error: at most TT_NCCL_XML_MOST_BYTES,
 * so many elements, so deep.
 */
#pragma once

#include "src/base/input.h"

#define TT_NCCL_XML_MOST_BYTES ((guint64) 16 << 20)
#define TT_NCCL_XML_MOST_ELEMENTS (1u << 17)
#define TT_NCCL_XML_MOST_DEPTH 64u

typedef struct
{
  const char *name; /* "gpu" */
  guint depth;      /* 0: what is directly inside the root */
  guint line;
  guint32 first_attribute, n_attributes;
} TtNcclXmlElement;

typedef struct
{
  const char *key, *value;
} TtNcclXmlAttribute;

typedef struct
{
  gboolean is_graphs; /* else a topology */
  GArray *elements;   /* of TtNcclXmlElement */
  GArray *attributes; /* of TtNcclXmlAttribute */
  GStringChunk *text;
} TtNcclXml;

/* Whether a file begins as XML does. FALSE if it cannot be read. */
gboolean tt_nccl_xml_probe (const char *path);
/* NULL with @error, which names file and line. */
TtNcclXml *tt_nccl_xml_read (const char *path, GError **error);
void tt_nccl_xml_free (TtNcclXml *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (TtNcclXml, tt_nccl_xml_free)

#define tt_nccl_xml_element(self, i) (&g_array_index ((self)->elements, TtNcclXmlElement, (i)))
/* NULL: it has no such. */
const char *tt_nccl_xml_value (const TtNcclXml *self, const TtNcclXmlElement *element, const char *key);
