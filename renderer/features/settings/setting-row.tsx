import styles from './settings.module.css';

interface SettingSectionProps {
  readonly title: string;
  readonly action?: React.ReactNode;
  readonly children: React.ReactNode;
}

/** A group of settings. */
export function SettingSection({ title, action, children }: SettingSectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.sectionHead}>
        <h2>{title}</h2>
        {action}
      </div>
      <div className={styles.rows}>{children}</div>
    </section>
  );
}

interface SettingRowProps {
  readonly label: string;
  readonly help?: React.ReactNode;
  /** Why the entered value is invalid. */
  readonly error?: string | undefined;
  /** The control. */
  readonly children: React.ReactNode;
}

/** A setting: label, description and control. */
export function SettingRow({ label, help, error, children }: SettingRowProps) {
  return (
    <div className={styles.row}>
      <div>
        <p className={styles.label}>{label}</p>
        {help !== undefined && <p className={styles.help}>{help}</p>}
        {error !== undefined && (
          <p className={styles.error} role="alert">
            {error}
          </p>
        )}
      </div>
      {children}
    </div>
  );
}
