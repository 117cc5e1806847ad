/** Lobby picture: a walled forest, half in the fog. */

export default function Picture() {
  return (
    <svg viewBox="0 0 320 160" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path d="M100 40h60v60h-60z" fill="var(--good-soft)" stroke="var(--line-2)" stroke-width="6" />
      <path d="M130 50l16 22h-9l9 14h-32l9 -14h-9zM127 86h6v8h-6z" fill="var(--green)" />
      <circle cx="70" cy="70" r="19" fill="var(--green)" />
      <path d="M196 51h38v38h-38z" fill="var(--red)" />
      <path d="M160 100v44" stroke="var(--red)" stroke-width="6" />
      <path d="M250 0h70v160h-110z" fill="var(--ink)" opacity=".35" />
    </svg>
  );
}
