"""Many nodes, sans-IO: what nodes say to each other, and how viewers follow rooms that live on another node."""
