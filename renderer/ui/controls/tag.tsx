import styles from './controls.module.css';

/** The tags of a workflow, all in the same style. */
export function TagList({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <ul className={styles.tags} aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag} className={styles.tag} dir="auto" title={tag}>
          {tag}
        </li>
      ))}
    </ul>
  );
}
