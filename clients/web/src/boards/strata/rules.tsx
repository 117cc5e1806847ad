/** Visual rules: the parts of a turn, holding a vertex, the outcome of a combat. */

import { LAYERS } from "./position";

export default function Rules() {
  return (
    <div class="st-rules stack">
      <ol class="st-steps">
        <li>
          <b>Place</b> a piece on a home corner.
        </li>
        <li>
          <b>Infuse</b> a stack with an energy point.
        </li>
        <li>
          <b>Move</b> a stack to an empty vertex beside it, above or below; layers wrap around.
        </li>
        <li>
          Then <b>end</b> the turn, or <b>attack</b> instead of moving on: that ends it.
        </li>
      </ol>
      <p>
        Force is pieces × energy ÷ gravity, 10 at most. A stack holds its vertex, and fights with its force, only from
        the force on that its layer asks for; to enter a layer it has to meet that before.
      </p>
      <table class="st-table number">
        <thead>
          <tr>
            <th scope="col">layer</th>
            <th scope="col">size</th>
            <th scope="col">gravity</th>
            <th scope="col">force</th>
          </tr>
        </thead>
        <tbody>
          {LAYERS.map(({ size, gravity, required }, layer) => (
            <tr key={layer}>
              <th scope="row">{layer}</th>
              <td>
                {size} × {size}
              </td>
              <td>{gravity}</td>
              <td>{required}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <figure>
        <svg
          viewBox="0 0 300 70"
          role="img"
          aria-label="3 pieces with energy 4 beat 2 with energy 2, and 1 with energy 2 is left"
        >
          <Disc x={40} pieces={3} energy={4} seat={0} />
          <text class="st-mini" x="84" y="40">
            12 : 4
          </text>
          <Disc x={130} pieces={2} energy={2} seat={1} />
          <path d="M168 35h30m-8 -8l8 8l-8 8" fill="none" stroke="var(--ink-2)" stroke-width="2" />
          <Disc x={240} pieces={1} energy={2} seat={0} />
        </svg>
        <figcaption>
          The greater force wins, on a tie the defender. The winner keeps the difference of the pieces and of the
          energy.
        </figcaption>
      </figure>
      <p>
        Drive the rival off the board. Until then every vertex that you hold adds to your dominion, which decides if the
        turns run out.
      </p>
    </div>
  );
}

interface DiscProps {
  readonly x: number;
  readonly pieces: number;
  readonly energy: number;
  readonly seat: number;
}

function Disc({ x, pieces, energy, seat }: DiscProps) {
  return (
    <g transform={`translate(${x} 35)`}>
      <circle class="st-stack" r="23" style={{ "--of": `var(--seat-${seat})` }} />
      <text class="st-pieces" y="1">
        {pieces}
      </text>
      <text class="st-energy" y="15">
        ⚡{energy}
      </text>
    </g>
  );
}
