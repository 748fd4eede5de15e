import { SearchX } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import styles from './api-reference.module.css';
import { EntryList } from './entry-list.tsx';
import { OperationDetail } from './operation-detail.tsx';
import {
  findOperation,
  findShape,
  firstEntryName,
  operationCount,
  searchGroups,
} from './reference-entries.ts';
import { ShapeDetail } from './shape-detail.tsx';

/** Searchable reference of every API operation: parameters, response, and a request to copy. */
export function ApiReferencePage({ name = firstEntryName }: { readonly name?: string | undefined }) {
  const [words, setWords] = useState('');
  const groups = searchGroups(words);
  return (
    <Page
      title="API reference"
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
        <EmptyState icon={SearchX} title={`Operation “${name}” not found`}>
          <p>The link may be from another version of Stepwright.</p>
        </EmptyState>
      )}
    </div>
  );
}
