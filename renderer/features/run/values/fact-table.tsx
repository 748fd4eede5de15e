import styles from './values.module.css';

/** A heading with its contents. */
export function ValueSection({
  title,
  note,
  children,
}: {
  readonly title: string;
  readonly note?: React.ReactNode;
  readonly children: React.ReactNode;
}) {
  return (
    <section className={styles.section} aria-label={title}>
      <h3>
        {title}
        {note !== undefined && <span>{note}</span>}
      </h3>
      {children}
    </section>
  );
}

interface NameValueTableProps {
  /** Rows with an empty value are omitted. */
  readonly rows: readonly (readonly [label: string, value: React.ReactNode])[];
}

/** A table with names on the left and values on the right. */
export function NameValueTable({ rows }: NameValueTableProps) {
  return (
    <dl className={styles.facts}>
      {rows
        .filter(([, value]) => value !== undefined && value !== false && value !== null)
        .map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
