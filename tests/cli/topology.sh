#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# simulate --topology: the ways between devices, and their bandwidths, as NCCL's sources have them (graph/topo.h, topo.cc, paths.cc).
. "$SRCDIR/tests/cli/lib.sh"

cp -r "$TRACETOOL_DATA/job-2x1" job && chmod -R u+w job && import job || exit 1

gpu() { # BUS [WIDTH] : a GPU on PCI of the third generation
    echo "<pci busid=\"$1\" class=\"0x030200\" link_speed=\"8.0 GT/s PCIe\" link_width=\"${2:-16}\"><gpu dev=\"0\" sm=\"80\" rank=\"0\" gdr=\"1\">${3:-}</gpu></pci>"
}
bridge() { # TEXT : inside a PCI switch of the fourth
    echo "<pci busid=\"ffff:ff:01.0\" class=\"0x060400\" link_speed=\"16.0 GT/s PCIe\" link_width=\"16\">$1</pci>"
}
cpu() { # NUMBER VENDOR MODEL TEXT
    echo "<cpu numaid=\"$1\" arch=\"x86_64\" vendor=\"$2\" familyid=\"6\" modelid=\"$3\">$4</cpu>"
}
nic() { # MBIT
    echo "<pci busid=\"4\" class=\"0x020700\" link_speed=\"8.0 GT/s PCIe\" link_width=\"16\"><nic><net name=\"x\" dev=\"0\" speed=\"$1\"/></nic></pci>"
}
says() { # TEXT XML : of this topology, simulate says so
    echo "<system version=\"1\">$2</system>" >topo.xml
    run 0 --db "$db" simulate --topology topo.xml --show ranks && has err "the topology: " "$1"
}
link() { # TARGET COUNT CLASS
    echo "<nvlink target=\"$1\" count=\"$2\" tclass=\"$3\"/>"
}

says 'from GPU to GPU PIX at 12.0 GB/s' "$(cpu 0 GenuineIntel 85 "$(bridge "$(gpu 1)$(gpu 2)")")"
result $? 'PIX: one PCI switch, 16 lanes of 8 GT/s'
says 'from GPU to GPU PXB at 6.0 GB/s' "$(cpu 0 GenuineIntel 85 "$(bridge "$(bridge "$(gpu 1 8)")$(bridge "$(gpu 2)")")")"
result $? 'PXB: several, the slowest link counts'
says 'from GPU to GPU PHB at 10.0 GB/s' "$(cpu 0 GenuineIntel 85 "$(gpu 1)$(gpu 2)")"
result $? 'PHB: a host bridge, where an Intel processor takes a sixth'
says 'from GPU to GPU SYS at 8.3 GB/s' "$(cpu 0 GenuineIntel 85 "$(gpu 1)")$(cpu 1 GenuineIntel 85 "$(gpu 2)")" &&
    says 'from GPU to GPU SYS at 12.0 GB/s' "$(cpu 0 AuthenticAMD 1 "$(gpu 1)")$(cpu 1 AuthenticAMD 1 "$(gpu 2)")"
result $? 'SYS: from one processor to another, by its model'
says 'from GPU to GPU NVL at 80.0 GB/s' "$(cpu 0 GenuineIntel 85 "$(gpu 1 16 "$(link 2 4 0x030200)")$(gpu 2 16 "$(link 1 4 0x030200)")")" &&
    says 'from GPU to GPU NVL at 240.0 GB/s' "$(cpu 0 x 1 "$(gpu 1 16 "$(link s 12 0x068000)")$(gpu 2 16 "$(link s 12 0x068000)")")"
result $? 'NVL: four links of 20 GB/s to the other, twelve to a switch'
says '1 NIC, to a NIC PIX at 3.1 GB/s' "$(cpu 0 GenuineIntel 85 "$(bridge "$(gpu 1)$(nic 25000)")")" &&
    says '1 NIC, to a NIC PHB at 12.0 GB/s' "$(cpu 0 GenuineIntel 85 "$(gpu 1)$(nic 200000)")" && says 'to a NIC PHB at 1.2 GB/s' "$(cpu 0 x 1 "$(gpu 1)$(nic -1)")"
result $? 'a NIC: its speed, no more than its PCI link; none is 10 Gbit/s'

echo '<graphs version="1"><graph id="0" pattern="4" nchannels="2" speedintra="5" speedinter="1.5" typeintra="PIX" typeinter="PXB"/></graphs>' >graph.xml
run 0 --db "$db" simulate --topology graph.xml --show ranks && has err 'from GPU to GPU PIX at 10.0 GB/s, to a NIC PXB at 3.0 GB/s'
result $? 'graphs: the channels of the ring together'
echo '<system version="1"><cpu numaid="0"/></system>' >none.xml
echo '<system version="1"><cpu' >cut.xml
echo '{}' >other.xml
refuses 1 'no GPU is in this topology' --db "$db" simulate --topology none.xml && refuses 1 'cut.xml' --db "$db" simulate --topology cut.xml &&
    refuses 1 'other.xml' --db "$db" simulate --topology other.xml && refuses 1 'absent.xml' --db "$db" simulate --topology absent.xml
result $? 'what is no topology of NCCL is refused by name'
finish
