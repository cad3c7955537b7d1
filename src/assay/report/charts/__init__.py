"""Plain SVG in the page's own flow: x in percent of the track, so that a phone needs no other picture."""
