import neutrino.language as nl
x: nl.u64 = 0
@nl.probe(pos="ld")
def p():
  if x: y = (1,
  else: x = """
