import styles from './gallery.module.css';

/** A titled section of the gallery. */
export function Section({ title, children }: { readonly title: string; readonly children: React.ReactNode }) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      <div className={styles.samples}>{children}</div>
    </section>
  );
}
