import styles from './settings.module.css';

interface SettingSectionProps {
  readonly title: string;
  readonly action?: React.ReactNode;
  readonly children: React.ReactNode;
}

/** Settings that belong together. */
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
  /** The control. */
  readonly children: React.ReactNode;
}

/** What is set, what that means, and the control. */
export function SettingRow({ label, help, children }: SettingRowProps) {
  return (
    <div className={styles.row}>
      <div>
        <p className={styles.label}>{label}</p>
        {help !== undefined && <p className={styles.help}>{help}</p>}
      </div>
      {children}
    </div>
  );
}
