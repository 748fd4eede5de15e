import styles from './controls.module.css';

/** A workflow's tag; a list of one kind of thing, so all of them look alike. */
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
