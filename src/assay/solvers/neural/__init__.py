"""Networks that read, and how they are trained. PyTorch lives only here (extra `neural`)."""
