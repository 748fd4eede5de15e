import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { StepStatus } from '../../core/model/run.ts';
import type { Diagnostic } from '../../core/model/diagnostic.ts';
import { statusToken, statusLabels } from '../format/labels.ts';
import styles from './state.module.css';

/**
 * The icon of a status. Each has its own silhouette, so that none relies on color. It is decorative; the caller
 * names the status next to it or in an accessible name.
 */
export function StatusShape({ status, size = 14 }: { readonly status: StepStatus; readonly size?: number }) {
  return (
    <svg
      className={styles.shape}
      data-status={status}
      style={{ color: `var(--status-${statusToken(status)})` }}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      aria-hidden="true"
      focusable="false"
    >
      {shapes[status]}
    </svg>
  );
}

const cut = 'var(--shape-cut, var(--surface-panel))';
const line = { strokeLinecap: 'round', strokeLinejoin: 'round' } as const;

const shapes: Readonly<Record<StepStatus, React.ReactNode>> = {
  not_started: <circle cx="8" cy="8" r="5.75" stroke="currentColor" strokeWidth="1.5" />,
  queued: (
    <>
      <circle cx="8" cy="8" r="6.25" stroke="currentColor" strokeWidth="1.75" />
      <path d="M8 4.4V8l2.5 1.7" stroke="currentColor" strokeWidth="1.75" {...line} />
    </>
  ),
  running: (
    <>
      <circle cx="8" cy="8" r="6" stroke="currentColor" strokeWidth="2.25" strokeOpacity="0.25" />
      <path
        className={styles.arc}
        d="M8 2a6 6 0 0 1 6 6"
        stroke="currentColor"
        strokeWidth="2.25"
        {...line}
      />
      <circle cx="8" cy="8" r="2.25" fill="currentColor" />
    </>
  ),
  succeeded: (
    <>
      <circle cx="8" cy="8" r="7.25" fill="currentColor" />
      <path d="m4.9 8.3 2.2 2.2 4.1-4.6" stroke={cut} strokeWidth="1.9" {...line} />
    </>
  ),
  partially_succeeded: (
    <>
      <path
        d="M8 .9 15.1 8 8 15.1.9 8Z"
        fill="currentColor"
        stroke="currentColor"
        strokeWidth="1"
        strokeLinejoin="round"
      />
      <path d="m5.3 8.2 1.9 1.9 3.5-3.8" stroke={cut} strokeWidth="1.75" {...line} />
    </>
  ),
  failed: (
    <>
      <path d="M5 .9h6L15.1 5v6L11 15.1H5L.9 11V5Z" fill="currentColor" />
      <path d="m5.4 5.4 5.2 5.2m0-5.2-5.2 5.2" stroke={cut} strokeWidth="1.9" {...line} />
    </>
  ),
  aborted: (
    <>
      <rect x="1.25" y="1.25" width="13.5" height="13.5" rx="2.5" fill="currentColor" />
      <rect x="5.1" y="5.1" width="5.8" height="5.8" rx="0.75" fill={cut} />
    </>
  ),
  skipped: (
    <>
      <circle cx="8" cy="8" r="6.25" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2.4 2.5" />
      <path d="M5.4 8h5.2" stroke="currentColor" strokeWidth="1.75" {...line} />
    </>
  ),
};

interface StatusBadgeProps {
  readonly status: StepStatus;
  /** `plain` is for tables, `pill` for headers. */
  readonly variant?: 'plain' | 'pill';
}

/** A status as icon, label and color. */
export function StatusBadge({ status, variant = 'plain' }: StatusBadgeProps) {
  const token = statusToken(status);
  const style = {
    '--badge-text': `var(--status-${token}-text)`,
    '--badge-soft': `var(--status-${token}-soft)`,
  } as React.CSSProperties;
  return (
    <span className={`${styles.badge} ${variant === 'pill' ? styles.pill : ''}`} style={style}>
      <StatusShape status={status} />
      <span>{statusLabels[status]}</span>
    </span>
  );
}

/** Status options with labels and icons. */
export const toStatusOptions = <Status extends StepStatus>(statuses: readonly Status[]) =>
  statuses.map((value) => ({ value, label: statusLabels[value], mark: <StatusShape status={value} /> }));

/** Severity of a diagnostic; `info` is a note that needs no action. */
type Severity = 'error' | 'warning' | 'info';

interface SeverityMarkProps {
  readonly severity: Severity;
  readonly size?: number;
  /** The text next to the icon already names the severity. */
  readonly isDecorative?: boolean;
}

const severityStyles = {
  error: { icon: CircleAlert, word: 'Error' },
  warning: { icon: TriangleAlert, word: 'Warning' },
  info: { icon: Info, word: 'Info' },
} as const;

/** The icon of a severity, each with its own shape, and an accessible name. */
export function SeverityMark({ severity, size = 14, isDecorative = false }: SeverityMarkProps) {
  const { icon: Icon, word } = severityStyles[severity];
  return (
    <Icon
      size={size}
      className={styles.mark}
      data-severity={severity}
      {...(isDecorative ? { 'aria-hidden': true } : { role: 'img', 'aria-label': word })}
    />
  );
}

interface DiagnosticListProps {
  readonly diagnostics: readonly Diagnostic[];
  /** Goes to the position of a diagnostic. */
  readonly onGo: (diagnostic: Diagnostic) => void;
  /** Label of the list, if it is not in a labeled region. */
  readonly label?: string;
}

/** The diagnostics of a workflow file with line and column; each entry links to its position. */
export function DiagnosticList({ diagnostics, onGo, label }: DiagnosticListProps) {
  return (
    <ul className={styles.list} aria-label={label}>
      {diagnostics.map((diagnostic) => (
        <li key={`${diagnostic.line}:${diagnostic.column}:${diagnostic.message}`}>
          <button type="button" onClick={() => onGo(diagnostic)}>
            <SeverityMark severity={diagnostic.severity} />
            <span className={styles.place}>
              {diagnostic.line}:{diagnostic.column}
            </span>
            <span className={styles.message}>{diagnostic.message}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
