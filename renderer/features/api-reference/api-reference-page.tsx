import { Link } from 'wouter';
import { SearchX } from 'lucide-react';
import { useState } from 'react';
import { paths } from '../../navigation/address.ts';
import { Button } from '../../ui/button.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { EmptyState } from '../../ui/state.tsx';
import { Page } from '../../ui/page.tsx';
import styles from './api-reference.module.css';
import {
  type ListGroup,
  findOperation,
  findShape,
  firstEntryName,
  operationCount,
  searchGroups,
  OperationDetail,
  ShapeDetail,
} from './operation-detail.tsx';
import { getPageLabel } from '../../navigation/navigation-items.ts';

interface EntryListProps {
  readonly groups: readonly ListGroup[];
  /** Name of the shown entry. */
  readonly chosen: string;
}

/** The entries by group; the shown one is scrolled into view. */
function EntryList({ groups, chosen }: EntryListProps) {
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

/** Searchable reference of every API operation: parameters, response, and a request to copy. */
export function ApiReferencePage({ name = firstEntryName }: { readonly name?: string | undefined }) {
  const [words, setWords] = useState('');
  const groups = searchGroups(words);
  return (
    <Page
      title={getPageLabel(paths.apiReference())}
      beside={<span className={styles.count}>{operationCount} operations</span>}
      actions={
        <SearchField
          label="Search the API"
          placeholder="Name, path or field"
          value={words}
          onChange={setWords}
        />
      }
    >
      <div className={styles.columns}>
        {groups.length > 0 ? (
          <EntryList groups={groups} chosen={name} />
        ) : (
          <div className={styles.list}>
            <EmptyState icon={SearchX} title="No matching operations">
              <Button onPress={() => setWords('')}>Clear search</Button>
            </EmptyState>
          </div>
        )}
        <Detail name={name} />
      </div>
    </Page>
  );
}

function Detail({ name }: { readonly name: string }) {
  const operation = findOperation(name);
  const shape = findShape(name);
  return (
    // Scroll each entry to its beginning.
    <div key={name} className={styles.detail} role="region" aria-label={name}>
      {operation && <OperationDetail operation={operation} />}
      {shape && <ShapeDetail shape={shape} />}
      {!operation && !shape && (
        <EmptyState icon={SearchX} title={`Operation "${name}" not found`}>
          <p>The link may be from another version of Stepwright.</p>
        </EmptyState>
      )}
    </div>
  );
}
