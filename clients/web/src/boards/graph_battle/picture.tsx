/** Lobby picture: a few nodes in two colours. */

const NODES = [
  [48, 44, "red"],
  [120, 30, "red"],
  [104, 104, "blue"],
  [186, 78, "blue"],
  [250, 34, "green"],
  [268, 116, "blue"],
  [40, 124, "red"],
] as const;
const EDGES = ["M48 44L120 30L186 78L104 104L48 44L40 124L104 104", "M186 78L250 34L268 116L186 78M120 30L104 104"];

export default function Picture() {
  return (
    <svg viewBox="0 0 320 160" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {EDGES.map((edge) => (
        <path key={edge} d={edge} fill="none" stroke="var(--line-2)" stroke-width="2" />
      ))}
      {NODES.map(([x, y, color]) => (
        <circle key={x} cx={x} cy={y} r="15" fill={`var(--${color})`} stroke="var(--sheet)" stroke-width="3" />
      ))}
    </svg>
  );
}
