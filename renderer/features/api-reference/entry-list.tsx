import { Link } from 'wouter';
import { paths } from '../../app/paths.ts';
import styles from './api-reference.module.css';
import type { ListGroup } from './reference-entries.ts';

interface EntryListProps {
  readonly groups: readonly ListGroup[];
  /** Name of the shown entry. */
  readonly chosen: string;
}

/** The entries by group; the shown one is scrolled into view. */
export function EntryList({ groups, chosen }: EntryListProps) {
  return (
    <nav className={styles.list} aria-label="Operations">
      {groups.map(({ title, entries }) => (
        <section key={title} aria-label={title}>
          <h2 className={styles.group}>{title}</h2>
          <ul>
            {entries.map(({ name, kind }) => (
              <li key={name}>
                <Link
                  href={paths.apiReference(name)}
                  className={styles.entry}
                  {...(name === chosen && { 'aria-current': 'page' as const, ref: scrollIntoView })}
                >
                  <span className={styles.entryName}>{name}</span>
                  <span className={styles.kind}>{kind}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

const scrollIntoView = (link: HTMLAnchorElement | null): void => link?.scrollIntoView?.({ block: 'nearest' });
