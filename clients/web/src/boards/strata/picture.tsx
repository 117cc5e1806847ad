/** Lobby picture: three of the layers, stacked. */

const LAYERS = [
  [38, 26],
  [80, 46],
  [122, 26],
] as const;

export default function Picture() {
  return (
    <svg viewBox="0 0 320 160" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      {LAYERS.map(([y, half]) => (
        <path
          key={y}
          d={`M160 ${y - half * 0.55}L${160 + half * 2.4} ${y}L160 ${y + half * 0.55}L${160 - half * 2.4} ${y}Z`}
          fill="var(--sheet)"
          fill-opacity=".8"
          stroke="var(--line-2)"
          stroke-width="2"
        />
      ))}
      <path d="M128 30v-14h14v14zM170 82v-26h14v26z" fill="var(--red)" />
      <path d="M146 124v-18h14v18zM116 84v-12h14v12z" fill="var(--blue)" />
    </svg>
  );
}
