import { create } from 'zustand';

/**
 * The closable panels next to the views. `drawer` is the inspector above the canvas or code, and `follow` is
 * whether it opens with the selection. In a narrow window the outline has a separate state, which starts
 * closed.
 */
export type Panel = 'outline' | 'outline.narrow' | 'inspector' | 'drawer' | 'follow';

interface PanelState {
  readonly open: Readonly<Record<Panel, boolean>>;
  /** Whether the form takes the focus as soon as it shows the selection. */
  readonly wantsFocus: boolean;
  /** Whether the drawer covers the canvas; set shortly after it has opened, when no second click can follow. */
  readonly isCovering: boolean;
}

const keyOf = (panel: Panel): string => `stepwright.editor.${panel}`;

/** Reads the last state on this machine. */
const readOpen = (panel: Panel, initial: boolean): boolean => {
  const stored = globalThis.localStorage?.getItem(keyOf(panel));
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
  isCovering: false,
}));

/** Opens or closes a panel and stores the state. */
export function setPanel(panel: Panel, isOpen: boolean): void {
  usePanels.setState(({ open }) => ({ open: { ...open, [panel]: isOpen } }));
  localStorage.setItem(keyOf(panel), isOpen ? 'open' : 'closed');
}
