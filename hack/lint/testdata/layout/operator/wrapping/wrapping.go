package wrapping
