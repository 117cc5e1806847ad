"""HTTP on the public and the admin port."""
