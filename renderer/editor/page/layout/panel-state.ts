import { create } from 'zustand';

/** The panels beside the views that can be closed; the drawer is the inspector where it lies above the code. */
export type Panel = 'outline' | 'inspector' | 'drawer';

interface PanelState {
  readonly open: Readonly<Record<Panel, boolean>>;
  /** Whether the form is to have the focus as soon as it shows what is selected. */
  readonly wantsFocus: boolean;
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
    inspector: readOpen('inspector', true),
    drawer: readOpen('drawer', false),
  },
  wantsFocus: false,
}));

/** Opens or closes a panel, and remembers that. */
export function setPanel(panel: Panel, isOpen: boolean): void {
  usePanels.setState(({ open }) => ({ open: { ...open, [panel]: isOpen } }));
  localStorage.setItem(keyOf(panel), isOpen ? 'open' : 'closed');
}
