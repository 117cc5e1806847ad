// The rules of benchmarks/tiles49.py that the Node servers share.
export const WIDTH = 7;
export const TILES = WIDTH * WIDTH;
export const SEATS = 5;

const neighbours = Array.from({ length: TILES }, (_, tile) => {
  const near = new Set();
  for (const dy of [-1, 0, 1])
    for (const dx of [-1, 0, 1]) {
      const x = (tile % WIDTH) + dx;
      const y = Math.floor(tile / WIDTH) + dy;
      if ((dx || dy) && x >= 0 && x < WIDTH && y >= 0 && y < WIDTH) near.add(y * WIDTH + x);
    }
  return near;
});

export const isNeighbour = (from, to) => neighbours[from].has(to);
export const isTile = (value) => Number.isInteger(value) && value >= 0 && value < TILES;
export const isAmount = (value) => Number.isInteger(value) && value >= 0 && value <= 120;
