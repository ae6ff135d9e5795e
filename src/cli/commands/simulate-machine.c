/* SPDX-License-Identifier: Apache-2.0 */
#include "config.h"

#include "src/cli/commands/simulate-machine.h"

#include "formats/nccl/xml.h"
#include "src/base/error.h"

#include <math.h>
#include <string.h>

#define MAX_DEVICES 256 /* GPUs or NICs of a host */
#define SWITCH_CLASS "0x068000"
#define PATTERN_RING 4
/* NCCL takes a NIC that says no speed to have 10 Gbit/s, and PCI devices that say none, sixteen lanes of third generation. */
#define USUAL_MBIT 10000
#define USUAL_LANES 16
#define USUAL_PCI 60
/* An Intel processor makes small packets of what GPUs send to each other (INTEL_P2P_OVERHEAD). */
#define INTEL_OVERHEAD 1.2

/* An element that transfers begin or end at, and what is around it. */
typedef struct
{
  guint above[TT_NCCL_XML_MOST_DEPTH + 1]; /* elements around it, from the outermost */
  guint n_above;
  double pci; /* GB/s of the slowest PCI link up to its processor */
  double own; /* of all NVLinks of a GPU; of a NIC */
  const char *bus;
} Device;

typedef struct
{
  const TtNcclXml *xml;
  TtJobMachine *machine;
  Device *gpus, *nics;
  guint n_gpus, n_nics;
  gboolean is_intel;
  GHashTable *linked; /* "from to": NVLinks lead there; "from switch" */
} Topology;

static const char *
value_of (const TtNcclXml *xml, guint i, const char *key)
{
  return tt_nccl_xml_value (xml, tt_nccl_xml_element (xml, i), key);
}

static gint64
number_of (const TtNcclXml *xml, guint i, const char *key, gint64 otherwise)
{
  const char *text = value_of (xml, i, key);
  gint64 number;

  return text != NULL && g_ascii_string_to_signed (text, 10, -1, 100000000, &number, NULL) ? number : otherwise;
}

static gboolean
is_named (const TtNcclXml *xml, guint i, const char *name)
{
  return strcmp (tt_nccl_xml_element (xml, i)->name, name) == 0;
}

/* -- NCCL's tables ------------------------------------------------------------------------------------------------- */

/* kvDictPciGen: 100 Mbit/s a lane. */
static double
pci_bandwidth (const TtNcclXml *xml, guint i)
{
  static const struct
  {
    const char *speed;
    double lane;
  } speeds[] = { { "2.5 GT/s", 15 },   { "5 GT/s", 30 },    { "5.0 GT/s", 30 },   { "8 GT/s", 60 },
                 { "8.0 GT/s", 60 },   { "16 GT/s", 120 },  { "16.0 GT/s", 120 }, { "32 GT/s", 240 },
                 { "32.0 GT/s", 240 }, { "64.0 GT/s", 480 } };
  const char *text = value_of (xml, i, "link_speed");
  gint64 lanes = number_of (xml, i, "link_width", 0);
  double lane = USUAL_PCI;

  for (guint k = 0; text != NULL && k < G_N_ELEMENTS (speeds); k++)
    if (g_str_has_prefix (text, speeds[k].speed))
      lane = speeds[k].lane;
  return (double) (lanes > 0 ? lanes : USUAL_LANES) * lane / 80;
}

static double
nvlink_bandwidth (gint64 sm)
{
  return sm >= 100 ? 40.1 : sm >= 90 ? 20.6 : sm == 86 ? 12 : sm >= 70 ? 20 : sm >= 60 ? 18 : 20;
}

/* ncclTopoGetInterCpuBw */
static double
processor_bandwidth (const TtNcclXml *xml, guint i)
{
  const char *arch = value_of (xml, i, "arch"), *vendor = value_of (xml, i, "vendor");
  gint64 model = number_of (xml, i, "modelid", 0);

  if (g_strcmp0 (arch, "ppc64") == 0)
    return 32;
  if (g_strcmp0 (arch, "arm64") == 0)
    return 6;
  if (g_strcmp0 (vendor, "AuthenticAMD") == 0)
    return 16;
  return g_strcmp0 (vendor, "GenuineIntel") != 0 ? 6 : model >= 0xcf ? 40 : model >= 0x8f ? 22 : model >= 0x55 ? 10 : 6;
}

/* -- a topology ---------------------------------------------------------------------------------------------------- */

/* NVLinks of a GPU are inside it: their sum. */
static double
add_nvlinks (Topology *self, guint gpu, const char *bus)
{
  guint depth = tt_nccl_xml_element (self->xml, gpu)->depth;
  double sum = 0, each = nvlink_bandwidth (number_of (self->xml, gpu, "sm", 0));

  for (guint i = gpu + 1; i < self->xml->elements->len && tt_nccl_xml_element (self->xml, i)->depth > depth; i++)
    {
      const char *target = value_of (self->xml, i, "target");
      if (!is_named (self->xml, i, "nvlink"))
        continue;
      gboolean is_switch = g_strcmp0 (value_of (self->xml, i, "tclass"), SWITCH_CLASS) == 0;
      self->machine->has_switch = self->machine->has_switch || is_switch;
      g_hash_table_add (self->linked, g_strdup_printf ("%s %s", bus != NULL ? bus : "",
                                                       is_switch        ? "switch"
                                                       : target != NULL ? target
                                                                        : ""));
      sum += (double) MAX (number_of (self->xml, i, "count", 1), 0) * each;
    }
  return sum;
}

static void
add_device (Topology *self, guint i, const guint *open, guint depth)
{
  gboolean is_gpu = is_named (self->xml, i, "gpu");
  guint *n = is_gpu ? &self->n_gpus : &self->n_nics;

  if (*n == MAX_DEVICES)
    return;
  Device *device = is_gpu ? &self->gpus[(*n)++] : &self->nics[(*n)++];
  device->pci = INFINITY;
  for (guint k = 0; k < depth; k++)
    {
      device->above[device->n_above++] = open[k];
      if (!is_named (self->xml, open[k], "pci"))
        continue;
      device->pci = MIN (device->pci, pci_bandwidth (self->xml, open[k]));
      device->bus = value_of (self->xml, open[k], "busid");
    }
  if (is_gpu)
    {
      guint sm = (guint) MAX (number_of (self->xml, i, "sm", 0), 0);
      device->own = add_nvlinks (self, i, device->bus);
      self->machine->sm = self->machine->sm == 0 ? sm : MIN (self->machine->sm, sm);
      return;
    }
  gint64 mbit = number_of (self->xml, i, "speed", 0);
  device->own = (double) (mbit > 0 ? mbit : USUAL_MBIT) / 8000;
}

static gboolean
has_nvlink (const Topology *self, const Device *a, const Device *b)
{
  g_autofree char *direct = g_strdup_printf ("%s %s", a->bus != NULL ? a->bus : "", b->bus != NULL ? b->bus : "");
  g_autofree char *ours = g_strdup_printf ("%s switch", a->bus != NULL ? a->bus : "");
  g_autofree char *theirs = g_strdup_printf ("%s switch", b->bus != NULL ? b->bus : "");

  return g_hash_table_contains (self->linked, direct) ||
         (g_hash_table_contains (self->linked, ours) && g_hash_table_contains (self->linked, theirs));
}

/* The way between two devices and what passes it, in GB/s: by what is around both. */
static TtMachineWay
find_way (const Topology *self, const Device *a, const Device *b, double *bandwidth)
{
  guint n_common = 0, n_bridges = 0;

  while (n_common < MIN (a->n_above, b->n_above) && a->above[n_common] == b->above[n_common])
    n_common++;
  *bandwidth = MIN (a->pci, b->pci);
  if (n_common == 0)
    {
      *bandwidth = MIN (*bandwidth, processor_bandwidth (self->xml, a->n_above > 0 ? a->above[0] : 0));
      return TT_MACHINE_SYS;
    }
  if (!is_named (self->xml, a->above[n_common - 1], "pci"))
    return TT_MACHINE_PHB;
  /* Bridges from one to the other: the common one, and those around each below it but for its own device. */
  for (guint side = 0; side < 2; side++)
    for (guint i = n_common; i + 1 < (side == 0 ? a : b)->n_above; i++)
      n_bridges += is_named (self->xml, (side == 0 ? a : b)->above[i + 1], "pci");
  return n_bridges == 0 ? TT_MACHINE_PIX : TT_MACHINE_PXB;
}

static void
join_devices (Topology *self)
{
  TtJobMachine *machine = self->machine;
  double slowest = INFINITY, nvlink = INFINITY, bandwidth;

  for (guint i = 0; i < self->n_gpus; i++)
    {
      TtMachineWay nearest = TT_MACHINE_UNKNOWN;
      for (guint k = i + 1; k < self->n_gpus; k++)
        {
          TtMachineWay way = has_nvlink (self, &self->gpus[i], &self->gpus[k])
                                 ? TT_MACHINE_NVL
                                 : find_way (self, &self->gpus[i], &self->gpus[k], &bandwidth);
          machine->within = MAX (machine->within, way);
          if (way != TT_MACHINE_NVL)
            slowest = MIN (slowest, way >= TT_MACHINE_PHB && self->is_intel ? bandwidth / INTEL_OVERHEAD : bandwidth);
        }
      nvlink = MIN (nvlink, self->gpus[i].own);
      for (guint k = 0; k < self->n_nics; k++)
        {
          TtMachineWay way = find_way (self, &self->gpus[i], &self->nics[k], &bandwidth);
          nearest = nearest == TT_MACHINE_UNKNOWN ? way : MIN (nearest, way);
          bandwidth = MIN (bandwidth, self->nics[k].own);
          if (machine->between_bytes_per_ns == 0 || bandwidth > machine->between_bytes_per_ns)
            machine->between_bytes_per_ns = bandwidth;
        }
      machine->between = MAX (machine->between, nearest);
    }
  machine->within_bytes_per_ns = machine->within == TT_MACHINE_UNKNOWN ? 0
                                 : machine->within == TT_MACHINE_NVL   ? nvlink
                                                                       : slowest;
  if (!isfinite (machine->within_bytes_per_ns))
    machine->within_bytes_per_ns = 0;
  machine->n_gpus = self->n_gpus;
  machine->n_nics = self->n_nics;
}

static void
read_topology (TtJobMachine *machine, const TtNcclXml *xml)
{
  guint open[TT_NCCL_XML_MOST_DEPTH + 1] = { 0 };
  g_autoptr (GHashTable) linked = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree Device *gpus = g_new0 (Device, MAX_DEVICES);
  g_autofree Device *nics = g_new0 (Device, MAX_DEVICES);
  Topology self = { .xml = xml, .machine = machine, .gpus = gpus, .nics = nics, .linked = linked };

  *machine = (TtJobMachine){ 0 };
  for (guint i = 0; i < xml->elements->len; i++)
    {
      guint depth = tt_nccl_xml_element (xml, i)->depth;
      open[depth] = i;
      self.is_intel = self.is_intel || g_strcmp0 (value_of (xml, i, "vendor"), "GenuineIntel") == 0;
      if (is_named (xml, i, "gpu") || is_named (xml, i, "net"))
        add_device (&self, i, open, depth);
    }
  join_devices (&self);
}

/* -- graphs -------------------------------------------------------------------------------------------------------- */

static TtMachineWay
way_of (const char *text)
{
  static const char *const words[] = { "", "NVL", "PIX", "PXB", "PHB", "SYS" };

  for (guint i = 1; text != NULL && i < G_N_ELEMENTS (words); i++)
    if (strcmp (text, words[i]) == 0)
      return (TtMachineWay) i;
  return g_strcmp0 (text, "NVB") == 0 ? TT_MACHINE_NVL : TT_MACHINE_UNKNOWN;
}

static double
speed_of (const TtNcclXml *xml, guint i, const char *key)
{
  const char *text = value_of (xml, i, key);
  double speed = text != NULL ? g_ascii_strtod (text, NULL) : 0;

  return speed > 0 && speed < 1e5 ? speed : 0;
}

/* Of its rings; what a topology says holds before it. */
static void
read_graphs (TtJobMachine *machine, const TtNcclXml *xml)
{
  for (guint i = 0; i < xml->elements->len; i++)
    {
      if (!is_named (xml, i, "graph") || number_of (xml, i, "pattern", 0) != PATTERN_RING)
        continue;
      double n_channels = (double) MAX (number_of (xml, i, "nchannels", 1), 1);
      if (machine->within == TT_MACHINE_UNKNOWN)
        machine->within = way_of (value_of (xml, i, "typeintra"));
      if (machine->between == TT_MACHINE_UNKNOWN)
        machine->between = way_of (value_of (xml, i, "typeinter"));
      if (machine->within_bytes_per_ns == 0)
        machine->within_bytes_per_ns = n_channels * speed_of (xml, i, "speedintra");
      if (machine->between_bytes_per_ns == 0)
        machine->between_bytes_per_ns = n_channels * speed_of (xml, i, "speedinter") / MAX (machine->n_nics, 1);
    }
}

/* -- all ----------------------------------------------------------------------------------------------------------- */

gboolean
tt_simulate_machine_read (TtJobMachine *self, const char *path, GError **error)
{
  TtJobMachine topology;
  g_autoptr (TtNcclXml) xml = tt_nccl_xml_read (path, error);

  if (xml == NULL)
    return FALSE;
  if (xml->is_graphs)
    {
      read_graphs (self, xml);
      return TRUE;
    }
  read_topology (&topology, xml);
  if (topology.n_gpus == 0)
    {
      g_set_error (error, TT_ERROR, TT_ERROR_INPUT, "%s: no GPU is in this topology; NCCL_TOPO_DUMP_FILE writes them",
                   path);
      return FALSE;
    }
  *self = topology;
  return TRUE;
}

char *
tt_simulate_machine_describe (const TtJobMachine *self)
{
  static const char *const words[] = { "an unknown way", "NVL", "PIX", "PXB", "PHB", "SYS" };
  GString *text = g_string_new (NULL);

  if (self->n_gpus > 0)
    g_string_append_printf (text, "%u GPU%s, ", self->n_gpus, self->n_gpus == 1 ? "" : "s");
  if (self->within != TT_MACHINE_UNKNOWN)
    g_string_append_printf (text, "from GPU to GPU %s at %.1f GB/s, ", words[self->within], self->within_bytes_per_ns);
  if (self->n_nics > 0)
    g_string_append_printf (text, "%u NIC%s, ", self->n_nics, self->n_nics == 1 ? "" : "s");
  if (self->between_bytes_per_ns > 0)
    g_string_append_printf (text, "to a NIC %s at %.1f GB/s, ", words[self->between], self->between_bytes_per_ns);
  g_string_truncate (text, text->len >= 2 ? text->len - 2 : 0);
  return g_string_free (text, FALSE);
}
