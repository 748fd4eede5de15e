import { useDeferredValue, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useSessionView } from '../session/use-session.ts';
import { keyOfRef, keyOfWorkflow, type OutlineRow } from './outline-rows.ts';

interface SelectedKeys {
  readonly selectedKeys: readonly string[];
  /** Shows at once what is selected by now: a press or key in the tree goes on from what that shows. */
  readonly catchUp: () => void;
}

/**
 * The rows of what is selected: of nodes, or of the further workflow that the views are about. What is selected elsewhere
 * is shown in a turn of its own: the library goes through all rows of the tree.
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
