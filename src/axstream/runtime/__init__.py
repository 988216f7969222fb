"""The executor of one burst, the loop over bursts, and the functions that embedders call.

The floor is called ``runtime`` and not ``run``, since ``axstream.run`` is the public function (ADR 1).
"""
