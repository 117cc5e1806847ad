"""Processes, ports and files of the operating system."""
