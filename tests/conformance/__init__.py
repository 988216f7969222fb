"""Runners of the vectors in ``conformance``; nothing else."""
