/** Lobby picture: a castle on a hill, with banners. */

export default function Picture() {
  return (
    <svg viewBox="0 0 320 160" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path d="M0 160q160 -90 320 0z" fill="var(--good-soft)" stroke="var(--line-2)" stroke-width="3" />
      <path
        d="M112 122V52h12v10h10V52h12v26h28V52h12v10h10V52h12v70z"
        fill="var(--sheet)"
        stroke="var(--ink-2)"
        stroke-width="4"
      />
      <path d="M150 122v-22q10 -12 20 0v22z" fill="var(--ink-2)" />
      <path d="M129 52V20l26 9l-26 9" fill="var(--purple)" stroke="var(--ink-2)" stroke-width="3" />
      <path d="M42 140V84l28 10l-28 10" fill="var(--red)" stroke="var(--ink-2)" stroke-width="3" />
      <path d="M276 140V84l-28 10l28 10" fill="var(--blue)" stroke="var(--ink-2)" stroke-width="3" />
    </svg>
  );
}
