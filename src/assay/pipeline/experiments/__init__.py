"""Experiments of a run: systems asked again under changed conditions. One kind a file; `kinds` names them."""
