import { createContext, useContext, useSyncExternalStore, useState, useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useBridge } from '../../api/bridge.ts';
import type { EditorSession, SessionView } from './editor-session.ts';

const SessionContext = createContext<EditorSession | undefined>(undefined);
export const EditorSessionProvider = SessionContext.Provider;

/** Returns the session from context. */
export function useEditorSession(): EditorSession {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useEditorSession is used outside EditorSessionProvider');
  return session;
}

/** Selects a part of the session's state; rerenders only when that part changes. */
export function useSessionView<Piece>(select: (view: SessionView) => Piece): Piece {
  const session = useEditorSession();
  return useSyncExternalStore(session.subscribe, () => select(session.view));
}

/** Returns the previous value while the new one is equal, so that dependents do not rerender. */
export function useStable<Value>(value: Value, isSame: (before: Value, now: Value) => boolean): Value {
  const [stable, setStable] = useState(value);
  if (stable === value || isSame(stable, value)) return stable;
  setStable(() => value);
  return value;
}

/** How often to check whether a missing file exists now. */
const pollIntervalMs = 10_000;
/** Size of one page; if there are more workflows, a name that is not on it may exist nevertheless. */
const maxDags = 1000;

interface ExistingFiles {
  /** Names of existing files, which can be requested. */
  readonly there: readonly string[];
  readonly missing: readonly string[];
}

/**
 * Returns which of the names are existing workflow files; a name is in neither list while that is unknown.
 * Requesting a missing file would log an error in the browser console.
 */
export function useExistingFiles(names: readonly string[]): ExistingFiles {
  const bridge = useBridge();
  const { data: listed } = useQuery({
    queryKey: ['workflow-files'],
    queryFn: async () => {
      const { dags, nextCursor } = await bridge.call('dags.list', { limit: maxDags });
      return { fileNames: dags.map(({ fileName }) => fileName), isWhole: nextCursor === undefined };
    },
    enabled: names.length > 0,
    refetchInterval: ({ state }) =>
      names.every((name) => state.data?.fileNames.includes(name)) ? false : pollIntervalMs,
  });
  return useMemo(() => {
    const isMissing = (name: string): boolean => listed?.isWhole === true && !listed.fileNames.includes(name);
    return {
      there: listed ? names.filter((name) => !isMissing(name)) : [],
      missing: names.filter(isMissing),
    };
  }, [listed, names]);
}
