import { create } from 'zustand';

/**
 * The panels beside the views that can be closed. The drawer is the inspector where it lies above canvas or code, and
 * `follow` whether it comes there by itself with a selected step. In a narrow window the outline is another one, which is
 * closed until somebody wants it.
 */
export type Panel = 'outline' | 'outline.narrow' | 'inspector' | 'drawer' | 'follow';

interface PanelState {
  readonly open: Readonly<Record<Panel, boolean>>;
  /** Whether the form is to have the focus as soon as it shows what is selected. */
  readonly wantsFocus: boolean;
  /** Whether the drawer stands above the canvas; a moment after it has come, when no second press can follow. */
  readonly isCovering: boolean;
}

const keyOf = (panel: Panel): string => `stepwright.editor.${panel}`;

/** As it was left last on this machine. */
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

/** Opens or closes a panel, and remembers that. */
export function setPanel(panel: Panel, isOpen: boolean): void {
  usePanels.setState(({ open }) => ({ open: { ...open, [panel]: isOpen } }));
  localStorage.setItem(keyOf(panel), isOpen ? 'open' : 'closed');
}
