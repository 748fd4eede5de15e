import styles from './workers.module.css';

/** The labels that `workerSelector` matches, by name. */
export function LabelList({ labels }: { readonly labels: Readonly<Record<string, string>> }) {
  const entries = Object.entries(labels);
  if (entries.length === 0) return null;
  return (
    <ul className={styles.labels} aria-label="Labels">
      {entries.map(([name, value]) => (
        <li key={name}>
          {name}={value}
        </li>
      ))}
    </ul>
  );
}
