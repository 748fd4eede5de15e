import { useId } from 'react';
import { Link } from 'wouter';
import styles from './dashboard.module.css';

interface SectionProps {
  readonly title: string;
  readonly count?: number | undefined;
  /** Link to the full list. */
  readonly more?: { readonly href: string; readonly label: string };
  readonly aside?: React.ReactNode;
  readonly children: React.ReactNode;
}

/** A section of the dashboard with its header. */
export function Section({ title, count, more, aside, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.sectionHead}>
        <h2 id={id}>{title}</h2>
        {count !== undefined && count > 0 && <span className={styles.count}>{count}</span>}
        <span className={styles.space} />
        {aside}
        {more && (
          <Link href={more.href} className={styles.more}>
            {more.label}
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}

/** Empty state of a section. */
export const SectionEmptyState = ({ children }: { readonly children: React.ReactNode }) => (
  <p className={styles.nothing}>{children}</p>
);
