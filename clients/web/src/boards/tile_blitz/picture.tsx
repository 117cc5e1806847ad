/** Lobby picture: a corner of the board. */

const HELD = ["red", "red", "", "orange", "red", "", "green", "orange", "", "green", "green", ""];

export default function Picture() {
  return (
    <svg viewBox="0 0 320 160" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {HELD.map((color, index) => (
        <rect
          key={index}
          x={70 + (index % 4) * 46}
          y={12 + Math.floor(index / 4) * 46}
          width="42"
          height="42"
          rx="4"
          fill={color ? `var(--${color === "orange" ? "yellow" : color})` : "var(--sheet)"}
          stroke="var(--line-2)"
        />
      ))}
    </svg>
  );
}
