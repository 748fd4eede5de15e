import { CaseSensitive, ChevronDown, ChevronUp, Regex, Search, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import type { LogQuery, SearchSnapshot } from './log-search.ts';
import styles from '../log.module.css';

interface SearchBarProps {
  readonly query: LogQuery;
  readonly snapshot: SearchSnapshot | undefined;
  /** Number of the current match, from 1; absent if unknown. */
  readonly position: number | undefined;
  /** Incremented to focus the field again. */
  readonly summons: number;
  readonly onQuery: (query: LogQuery) => void;
  readonly onStep: (forward: boolean) => void;
  readonly onClose: () => void;
}

/** The search bar of a log. */
export function SearchBar({ query, snapshot, position, summons, onQuery, onStep, onClose }: SearchBarProps) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (summons > 0) field.current?.select();
  }, [summons]);
  const press = (event: React.KeyboardEvent): void => {
    if (event.key === 'Enter') onStep(!event.shiftKey);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isEmpty = query.query === '' || snapshot === undefined || snapshot.count === 0;
  return (
    <div className={styles.searchBar} role="search" aria-label="Log">
      <Search size={14} aria-hidden="true" />
      <input
        ref={field}
        aria-label="Search log"
        placeholder="Search log"
        spellCheck={false}
        maxLength={1000}
        value={query.query}
        onChange={(event) => onQuery({ ...query, query: event.target.value })}
        onKeyDown={press}
      />
      <span className={styles.searchState} role="status" data-error={snapshot?.error ? '' : undefined}>
        {describe(query, snapshot, position)}
      </span>
      <Switches query={query} onQuery={onQuery} />
      <IconButton
        label="Previous match (Shift+Enter, N)"
        icon={ChevronUp}
        size="small"
        isDisabled={isEmpty}
        onPress={() => onStep(false)}
      />
      <IconButton
        label="Next match (Enter, n)"
        icon={ChevronDown}
        size="small"
        isDisabled={isEmpty}
        onPress={() => onStep(true)}
      />
      <IconButton label="Close search" icon={X} size="small" onPress={onClose} />
    </div>
  );
}

function Switches({ query, onQuery }: Pick<SearchBarProps, 'query' | 'onQuery'>) {
  return (
    <>
      <IconButton
        label="Match case"
        icon={CaseSensitive}
        size="small"
        pressed={query.matchCase}
        onPress={() => onQuery({ ...query, matchCase: !query.matchCase })}
      />
      <IconButton
        label="Regular expression"
        icon={Regex}
        size="small"
        pressed={query.regex}
        onPress={() => onQuery({ ...query, regex: !query.regex })}
      />
    </>
  );
}

function describe(
  { query }: LogQuery,
  snapshot: SearchSnapshot | undefined,
  position: number | undefined,
): string {
  if (query === '' || !snapshot) return '';
  if (snapshot.error) return snapshot.error.message.replace(/^query: /, '');
  const { count, progress } = snapshot;
  const done = progress < 1 ? `, ${Math.floor(progress * 100)} % searched` : '';
  if (count === 0) return progress < 1 ? `${Math.floor(progress * 100)} % searched` : 'No results';
  const lines = `${count.toLocaleString('en')} ${count === 1 ? 'line' : 'lines'}`;
  return `${position === undefined ? '' : `${position.toLocaleString('en')} of `}${lines}${done}`;
}
