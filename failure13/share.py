"""A name that scripts from outside rely on; what it holds is in `failure13.visit.share`."""

from failure13.visit.share import BadLink, decode, encode

__all__ = ["BadLink", "decode", "encode"]
