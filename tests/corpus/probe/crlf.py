import neutrino.language as nl
x: nl.u32 = 0x_f
@nl.probe(pos="ld", size=4)
def p():
	if not x or x < nl.bytes and nl.u32(nl.in1) >= 3:
		x <<= x; nl.save(nl.smid(), dtype=nl.u32)
