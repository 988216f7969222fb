"""Tests of the models floor, and the misbehaving server that other tests use too."""
