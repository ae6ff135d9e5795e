# Benchmarks and generators.
