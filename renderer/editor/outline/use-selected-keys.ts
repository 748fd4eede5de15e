import { useDeferredValue, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useSessionView } from '../session/use-session.ts';
import { keyOfRef, keyOfWorkflow, type OutlineRow } from './outline-rows.ts';

interface SelectedKeys {
  readonly selectedKeys: readonly string[];
  /** Applies the current selection immediately: a press or key in the tree builds on it. */
  readonly catchUp: () => void;
}

/**
 * Returns the rows of the selection: of nodes, or of the shown further workflow. A selection made in another
 * view is applied in a separate task, because the library visits all rows of the tree.
 */
export function useSelectedKeys(index: ReadonlyMap<string, OutlineRow>): SelectedKeys {
  const selection = useSessionView((view) => view.selection);
  const document = useSessionView((view) => view.document);
  const isOwn = useSessionView((view) => view.selectedIn === 'outline');
  const newest = useMemo(() => {
    const isWorkflow = selection.length === 0 && document !== undefined;
    const keys = isWorkflow ? [keyOfWorkflow(document)] : selection.map(keyOfRef);
    return keys.filter((key) => index.has(key));
  }, [selection, document, index]);
  const later = useDeferredValue(newest);
  const [wanted, setWanted] = useState(newest);
  const selectedKeys = isOwn || wanted === newest ? newest : later;
  const catchUp = (): void => {
    if (selectedKeys !== newest) flushSync(() => setWanted(newest));
  };
  return { selectedKeys, catchUp };
}
