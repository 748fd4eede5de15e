import { create } from 'zustand';
import { useSyncExternalStore } from 'react';

/** Which of the two middle views are shown. */
export type EditorView = 'canvas' | 'split' | 'code';

const storageKey = 'stepwright.editor.view';

/** Reads the last choice on this machine. */
export function readViewChoice(): EditorView {
  const stored = localStorage.getItem(storageKey);
  return stored === 'canvas' || stored === 'code' ? stored : 'split';
}

export const storeViewChoice = (view: EditorView): void => localStorage.setItem(storageKey, view);

/**
 * The closable panels next to the views. `drawer` is the inspector above the canvas or code, and `follow` is
 * whether it opens with the selection. In a narrow window the outline has a separate state, which starts
 * closed.
 */
export type Panel = 'outline' | 'outline.narrow' | 'inspector' | 'drawer' | 'follow';

interface PanelState {
  readonly open: Readonly<Record<Panel, boolean>>;
  /** Whether the form takes the focus as soon as it contains the selection. */
  readonly wantsFocus: boolean;
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

/** Minimum window widths: for one view with outline, palette and form, and for canvas and code side by side. */
const roomy = { one: '(min-width: 1500px)', two: '(min-width: 2200px)' } as const;

/**
 * Whether the window has room for all panels next to the views; in a narrower one the graph takes precedence.
 */
export const useHasRoomForPanels = (views: keyof typeof roomy = 'one'): boolean =>
  useSyncExternalStore(listen[views], () => matchMedia(roomy[views]).matches);

const listenTo =
  (condition: string) =>
  (listener: () => void): (() => void) => {
    const query = matchMedia(condition);
    query.addEventListener('change', listener);
    return () => query.removeEventListener('change', listener);
  };

const listen = { one: listenTo(roomy.one), two: listenTo(roomy.two) };

const phone = '(max-width: 640px)';
const listenToPhone = listenTo(phone);

/** Whether the window has room for one pane only. */
export const useIsPhone = (): boolean => useSyncExternalStore(listenToPhone, () => matchMedia(phone).matches);

/** Returns where the inspector is: next to the other views, or above them if they would become too narrow. */
export function useDock(view: EditorView): 'inspector' | 'drawer' {
  const isRoomy = useHasRoomForPanels(view === 'split' ? 'two' : 'one');
  return view === 'code' || isRoomy ? 'inspector' : 'drawer';
}
