"""The catalogue and what is made from it: codec, schema, grammar, manual. Only ``generate`` does I/O."""

from axstream.spec.catalogue import Catalogue, name_of
from axstream.spec.codec import Decoded
from axstream.spec.custom import CustomAct
from axstream.spec.reading import Refusal

__all__ = ["Catalogue", "CustomAct", "Decoded", "Refusal", "name_of"]
