import { create } from 'zustand';
import { useSyncExternalStore, createContext, useContext, useState, useMemo } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useBridge } from '../../api/bridge.ts';
import type { EditorSession, SessionView } from './editor-session.ts';

/** Which of the two middle views are shown. */
export type EditorView = 'canvas' | 'split' | 'code';

const storageKey = 'stepwright.editor.view';

/** Reads the last choice on this machine. */
export function readViewChoice(): EditorView {
  const stored = localStorage.getItem(storageKey);
  return stored === 'split' || stored === 'code' ? stored : 'canvas';
}

export const storeViewChoice = (view: EditorView): void => localStorage.setItem(storageKey, view);

/**
 * The closable panels next to the views. `drawer` is the inspector above the canvas, and `follow` is
 * whether it opens with the selection. In a narrow window the outline has a separate state, which starts
 * closed.
 */
export type Panel = 'outline' | 'outline.narrow' | 'inspector' | 'drawer' | 'follow';

interface PanelState {
  readonly open: Readonly<Record<Panel, boolean>>;
  /**
   * Set when the form takes the focus as soon as it contains the selection: the field by name, or true for the
   * first one.
   */
  readonly wantsFocus: string | boolean;
  /** Whether the inspector shows the triggers instead of all fields of the workflow. */
  readonly isTriggerShown: boolean;
  /** Whether the drawer covers the canvas; set shortly after it has opened, when no second click can follow. */
  readonly isCovering: boolean;
}

const getKey = (panel: Panel): string => `stepwright.editor.${panel}`;

/** Reads the last state on this machine. */
const readOpen = (panel: Panel, initial: boolean): boolean => {
  const stored = globalThis.localStorage?.getItem(getKey(panel));
  return stored === 'open' || (stored !== 'closed' && initial);
};

/** Which panels are open. */
export const usePanels = create<PanelState>(() => ({
  open: {
    outline: readOpen('outline', true),
    'outline.narrow': readOpen('outline.narrow', false),
    follow: readOpen('follow', true),
    inspector: readOpen('inspector', true),
    drawer: readOpen('drawer', false),
  },
  wantsFocus: false,
  isTriggerShown: false,
  isCovering: false,
}));

/** Opens or closes a panel and stores the state. */
export function setPanel(panel: Panel, isOpen: boolean): void {
  usePanels.setState(({ open }) => ({ open: { ...open, [panel]: isOpen } }));
  localStorage.setItem(getKey(panel), isOpen ? 'open' : 'closed');
}

/** Minimum window widths: for palette and form next to the views, and for the outline in addition. */
const roomy = { form: '(min-width: 1280px)', outline: '(min-width: 1680px)' } as const;

/** Whether the window has room for a panel next to the views; in a narrower one the views take precedence. */
export const useHasRoom = (panel: keyof typeof roomy): boolean =>
  useSyncExternalStore(listen[panel], () => matchMedia(roomy[panel]).matches);

const listenTo =
  (condition: string) =>
  (listener: () => void): (() => void) => {
    const query = matchMedia(condition);
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  };

const listen = { form: listenTo(roomy.form), outline: listenTo(roomy.outline) };

const phone = '(max-width: 640px)';
const listenToPhone = listenTo(phone);

/** Whether the window has room for one pane only. */
export const useIsPhone = (): boolean => useSyncExternalStore(listenToPhone, () => matchMedia(phone).matches);

/** Returns where the inspector is: next to the other views, or above the canvas if they would become too narrow. */
export function useDock(view: EditorView): 'inspector' | 'drawer' {
  const isRoomy = useHasRoom('form');
  return view === 'code' || isRoomy ? 'inspector' : 'drawer';
}

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
