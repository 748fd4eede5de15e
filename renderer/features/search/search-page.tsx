import { FileSearch, SearchX } from 'lucide-react';
import { useDeferredValue } from 'react';
import { Link } from 'wouter';
import { useDagSearch } from '../../api/queries/workflows/workflow-queries.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { useQueryParams } from '../../app/address.ts';
import { paths } from '../../app/paths.ts';
import { Checkbox } from '../../ui/controls/checkbox.tsx';
import { SearchField } from '../../ui/controls/search-field.tsx';
import { EmptyState } from '../../ui/state/empty-state.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { QueryState } from '../../ui/state/query-state.tsx';
import { FilterBar } from '../../ui/list/filter-bar.tsx';
import { LoadMore } from '../../ui/list/load-more.tsx';
import { useListKeys } from '../../ui/list/use-list-keys.ts';
import { useHitFinder } from './cut-hits.ts';
import { MatchLines } from './match-lines.tsx';
import { dedupeContextLines } from './share-lines.ts';
import styles from './search.module.css';

const maxLength = 200;

/** Search in workflow files: matching lines with context, linking to the editor. */
export function SearchPage() {
  const [query, change] = useQueryParams();
  const text = query.get('q') ?? '';
  const isPattern = query.get('regex') === 'yes';
  const queryText = useDeferredValue(text.slice(0, maxLength));
  return (
    <Page title="Search">
      <FilterBar>
        <div className={styles.field}>
          <SearchField
            label="Search workflow files"
            placeholder="Text in workflow files"
            value={text}
            onChange={(q) => change({ q })}
          />
        </div>
        <Checkbox
          label="Regular expression"
          isSelected={isPattern}
          onChange={(isOn) => change({ regex: isOn ? 'yes' : '' })}
        />
      </FilterBar>
      {queryText === '' ? <EmptySearch /> : <Results q={queryText} regex={isPattern} />}
    </Page>
  );
}

function Results({ q, regex }: { readonly q: string; readonly regex: boolean }) {
  const search = useDagSearch({ q, regex });
  return (
    <QueryState query={search} what="The search">
      {({ pages }) => {
        const files = pages.flatMap(({ results }) => results);
        if (files.length === 0)
          return (
            <EmptyState icon={SearchX} title="No matches">
              <p>Searched all workflow files, ignoring case.</p>
            </EmptyState>
          );
        return (
          <div className={styles.results}>
            <FileList files={files} q={q} regex={regex} />
            <LoadMore query={search} />
          </div>
        );
      }}
    </QueryState>
  );
}

interface FileListProps {
  readonly files: OperationOutput<'dags.search'>['results'];
  readonly q: string;
  readonly regex: boolean;
}

function FileList({ files, q, regex }: FileListProps) {
  const find = useHitFinder(q, regex);
  const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-hit]')];
  useListKeys({
    count: links().length || files.reduce((sum, { matches }) => sum + matches.length, 0),
    open: (index) => links()[index]?.click(),
    reveal: (index) => links()[index]?.focus(),
  });
  return files.map(({ fileName, name, matches, more }) => (
    <section key={fileName} className={styles.file} aria-label={name}>
      <h2>
        <Link href={paths.workflow(fileName)}>{name}</Link>
        <span className={styles.fileName}>{fileName}.yaml</span>
        <span className={styles.count}>
          {matches.length}
          {more && '+'}
        </span>
      </h2>
      {dedupeContextLines(matches).map((match) => (
        <MatchLines key={match.lineNumber} fileName={fileName} match={match} find={find} />
      ))}
    </section>
  ));
}

function EmptySearch() {
  return (
    <EmptyState icon={FileSearch} title="Search all workflow files">
      <p>Find commands, step names, variables and comments.</p>
    </EmptyState>
  );
}
