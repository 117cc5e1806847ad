"""What Warroom costs, measured on the machine at hand; run all of it with `./dev bench`."""
