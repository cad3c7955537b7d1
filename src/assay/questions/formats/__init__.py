"""Question formats, one a file; `registry.FORMATS` lists them."""
