import { create } from 'zustand';
import { useSyncExternalStore } from 'react';

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
