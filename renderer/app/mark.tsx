import styles from './shell.module.css';

/** The application's logo: three connected steps. */
export function Logo() {
  return (
    <svg
      className={styles.mark}
      width="24"
      height="24"
      viewBox="0 0 32 32"
      aria-hidden="true"
      focusable="false"
    >
      <rect width="32" height="32" rx="8" fill="var(--accent)" />
      <g
        stroke="var(--text-on-accent)"
        fill="none"
        strokeWidth="2.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M9 22.5h6v-6.5h7V9.5" strokeOpacity="0.55" />
      </g>
      <g fill="var(--text-on-accent)">
        <circle cx="9" cy="22.5" r="3.1" />
        <circle cx="15.5" cy="16" r="3.1" />
        <circle cx="22" cy="9.5" r="3.1" />
      </g>
    </svg>
  );
}
