"""The commands of the chaos kit."""
