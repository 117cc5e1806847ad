"""Plain HTTP: the read-only API and the pages."""
