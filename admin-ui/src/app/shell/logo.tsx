/** The mark of Cuevault: a lamp that gives the cue. */
export const Logo = () => (
  <svg viewBox="0 0 32 32" width={26} height={26} aria-hidden="true">
    <rect x="1.5" y="1.5" width="29" height="29" rx="7" fill="none" stroke="#67a399" strokeWidth="1.5" />
    <circle cx="16" cy="13" r="6" fill="#e9bb57" />
    <path d="M16 19v7" stroke="#e9bb57" strokeWidth="4" strokeLinecap="round" />
  </svg>
);
