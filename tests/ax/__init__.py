"""Tests of the tree: roles, titles, ids, late binding, outline."""
