import styles from './layout.module.css';

interface PageProps {
  readonly title: React.ReactNode;
  /** Above the title: breadcrumbs. */
  readonly above?: React.ReactNode;
  /** Next to the title: status, tags. */
  readonly beside?: React.ReactNode;
  /** Below the title and actions, over the full width: description, key values. */
  readonly below?: React.ReactNode;
  readonly actions?: React.ReactNode;
  readonly children: React.ReactNode;
}

/** A page: a header with title and actions, and content that fills the rest of the window. */
export function Page({ title, above, beside, below, actions, children }: PageProps) {
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div className={styles.headerText}>
          {above}
          <div className={styles.headerLine}>
            <h1 className={styles.title} dir="auto">
              {title}
            </h1>
            {beside}
          </div>
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        {below && <div className={styles.below}>{below}</div>}
      </header>
      <div className={styles.content}>{children}</div>
    </div>
  );
}
