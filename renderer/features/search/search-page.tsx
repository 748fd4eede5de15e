import { useEffect, useState, useDeferredValue } from 'react';
import { Link } from 'wouter';
import { Command, SearchX } from 'lucide-react';
import type { SearchMatchView } from '../../../core/contract/dags.ts';
import type { OperationOutput } from '../../../core/contract/operations.ts';
import { paths, withQuery, useQueryParams } from '../../navigation/address.ts';
import { useDagSearch } from '../../api/workflow-queries.ts';
import { getPageLabel, showWindow } from '../../navigation/navigation-items.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choices.tsx';
import { SearchField } from '../../ui/fields.tsx';
import { EmptyState, QueryState } from '../../ui/state.tsx';
import { Page } from '../../ui/page.tsx';
import { FilterBar, useListKeys } from '../../ui/list/filter-bar.tsx';
import { LoadMore } from '../../ui/list/list-end.tsx';
import styles from './search.module.css';

/** A part of a line. */
export interface LineSegment {
  readonly text: string;
  readonly isHit: boolean;
}

/** Finds the matches of a query in a line. */
type MatchFinder = (line: string) => Iterable<readonly [start: number, end: number]>;

const noHits: MatchFinder = () => [];

/** Splits a line at the matches of a query. */
export function splitAtMatches(line: string, find: MatchFinder): LineSegment[] {
  const pieces: LineSegment[] = [];
  let last = 0;
  for (const [start, end] of find(line)) {
    if (end === start) continue;
    if (start > last) pieces.push({ text: line.slice(last, start), isHit: false });
    pieces.push({ text: line.slice(start, end), isHit: true });
    last = end;
  }
  if (last < line.length) pieces.push({ text: line.slice(last), isHit: false });
  return pieces;
}

/**
 * Returns a matcher with the engine's rules; it finds nothing for an invalid pattern. The regular expression
 * engine is loaded on demand.
 */
export async function createMatchFinder(query: string, isPattern: boolean): Promise<MatchFinder> {
  if (!isPattern) {
    const text = new RegExp(query.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), 'giu');
    return (line) =>
      Array.from(line.matchAll(text), ({ 0: hit, index }) => [index, index + hit.length] as const);
  }
  const { compilePattern } = await import('../../../core/base/pattern.ts');
  try {
    const pattern = compilePattern(query, { ignoreCase: true });
    return (line) => pattern.matchAll(line);
  } catch {
    return noHits;
  }
}

/** Returns {@link createMatchFinder}'s matcher, or one that finds nothing while it loads. */
function useHitFinder(query: string, isPattern: boolean): MatchFinder {
  const [find, setFind] = useState<MatchFinder>(() => noHits);
  useEffect(() => {
    let isCurrent = true;
    void createMatchFinder(query, isPattern).then((opened) => {
      if (isCurrent) setFind(() => opened);
    });
    return () => {
      isCurrent = false;
    };
  }, [query, isPattern]);
  return find;
}

/** Returns the address of a line in the editor. */
const editorLineUrl = (fileName: string, line: number): string =>
  withQuery(paths.editor(fileName), { line: String(line) });

/** Removes duplicate context lines of matches in one file: lines between two matches belong to the first. */
export function dedupeContextLines(matches: readonly SearchMatchView[]): readonly SearchMatchView[] {
  let shown = 0;
  return matches.map((match, index) => {
    const { startLine, lines } = match;
    const next = matches[index + 1]?.lineNumber ?? Infinity;
    const first = Math.max(startLine, shown + 1);
    shown = Math.min(startLine + lines.length, next) - 1;
    return { ...match, startLine: first, lines: lines.slice(first - startLine, shown + 1 - startLine) };
  });
}

interface MatchLinesProps {
  readonly fileName: string;
  readonly match: SearchMatchView;
  readonly find: MatchFinder;
}

/** A matching line with its context; links to that line in the editor. */
function MatchLines({ fileName, match: { lineNumber, startLine, lines }, find }: MatchLinesProps) {
  return (
    <Link href={editorLineUrl(fileName, lineNumber)} className={styles.match} data-hit>
      {lines.map((line, index) => {
        const number = startLine + index;
        const isHit = number === lineNumber;
        return (
          <span key={number} className={styles.line} data-hit-line={isHit || undefined}>
            <span className={styles.number}>{number}</span>
            <code>
              {isHit
                ? splitAtMatches(line, find).map(({ text, isHit: isMarked }, at) =>
                    // Pieces of a line have no other identity.
                    isMarked ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
                  )
                : line}
            </code>
          </span>
        );
      })}
    </Link>
  );
}

const maxLength = 200;

/** Search in workflow files: matching lines with context, linking to the editor. */
export function SearchPage() {
  const [query, change] = useQueryParams();
  const text = query.get('q') ?? '';
  const isPattern = query.get('regex') === 'yes';
  const queryText = useDeferredValue(text.slice(0, maxLength));
  return (
    <Page title={getPageLabel(paths.search)}>
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
    <QueryState query={search} what="The search results">
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
    <EmptyState illustration="search" title="Search all workflow files">
      <p>Find commands, step names, variables and comments. To go to a workflow or run, use the palette.</p>
      <Button icon={Command} onPress={() => showWindow('palette')}>
        Open command palette
      </Button>
    </EmptyState>
  );
}
