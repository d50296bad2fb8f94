package yield
