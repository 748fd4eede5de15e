import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { kindNames } from '../../../format/step-action.ts';
import { useCanvasActions } from '../commands/canvas-actions.ts';
import type { CanvasGraph, CanvasNode } from '../model/canvas-graph.ts';
import { useCanvasStore } from '../state/canvas-store.ts';
import styles from '../canvas.module.css';

interface CanvasSearchProps {
  readonly graph: CanvasGraph;
  readonly onSelect: (node: CanvasNode) => void;
}

/** Finds steps by name, type or action. Other steps are dimmed; Enter moves to the next match. */
export function CanvasSearch({ graph, onSelect }: CanvasSearchProps) {
  const store = useCanvasStore();
  const { reveal, focusCard } = useCanvasActions();
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(-1);
  const matches = useMemo(() => findNodes(graph, query), [graph, query]);
  useEffect(() => {
    store.setState({ highlighted: query.trim() === '' ? undefined : new Set(matches.map(({ id }) => id)) });
    return () => store.setState({ highlighted: undefined });
  }, [store, matches, query]);
  const go = (by: 1 | -1): void => {
    if (matches.length === 0) return;
    const next = (at + by + matches.length) % matches.length;
    setAt(next);
    onSelect(matches[next]!);
    store.setState({ current: matches[next]!.id });
    reveal(matches[next]!.id);
  };
  const close = (): void => {
    store.setState({ isSearching: false });
    const { current } = store.getState();
    if (current !== undefined) focusCard(current);
  };
  const words =
    query.trim() === '' ? '' : matches.length === 0 ? 'None' : `${Math.max(0, at) + 1} of ${matches.length}`;
  return (
    <div className={styles.search} role="search" aria-label="Search graph">
      <input
        autoFocus
        aria-label="Search steps on the canvas"
        placeholder="Name, type or command"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setAt(-1);
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
          else if (event.key === 'Escape') close();
        }}
      />
      <span role="status" className={styles.searchCount}>
        {words}
      </span>
      <IconButton label="Previous" icon={ChevronUp} size="small" onPress={() => go(-1)} />
      <IconButton label="Next" icon={ChevronDown} size="small" onPress={() => go(1)} />
      <IconButton label="Close search" icon={X} size="small" onPress={close} />
    </div>
  );
}

function findNodes({ steps, handlers }: CanvasGraph, query: string): readonly CanvasNode[] {
  const searchText = query.toLowerCase().trim();
  if (searchText === '') return [];
  return [...steps, ...handlers].filter(({ name, detail, kind }) =>
    `${name}\n${detail}\n${kindNames[kind]}`.toLowerCase().includes(searchText),
  );
}
