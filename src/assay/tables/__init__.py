"""Knowledge in tables: a folder of them, read whole, with what was left out counted."""
