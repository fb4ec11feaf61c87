"""A model to take along: weights, configuration and vocabularies in one file.

::

    contextbook.save(model, task.english, task.japanese, "translator.safetensors")
    model, english, japanese = contextbook.load("translator.safetensors")
    LiveTransformer(*contextbook.load("translator.safetensors"))

``files`` writes and reads the file, ``configuration`` puts a model's shape into plain values.
"""

from contextbook.saving.configuration import UnknownModelError, configuration_of, make_model
from contextbook.saving.files import Saved, load, save

__all__ = ["Saved", "UnknownModelError", "configuration_of", "load", "make_model", "save"]
