import { useState } from 'react';
import { useHasRoomForPanels } from '../../page/layout/use-roomy.ts';

const storageKey = 'stepwright.editor.palette';
/** Combined width of palette and canvas, in pixels, below which the palette starts closed. */
const roomy = 1040;

/**
 * Whether the palette is open: as last chosen, or by default when there is room. In a narrow window, where the
 * choice is stored separately, it starts as a button.
 */
export function usePalette(width: number | undefined) {
  const isRoomy = useHasRoomForPanels();
  const key = isRoomy ? storageKey : `${storageKey}.narrow`;
  const [chosen, setChosen] = useState<Readonly<Record<string, string | null>>>({});
  const choice = chosen[key] ?? localStorage.getItem(key);
  const isOpen = width !== undefined && (choice === null ? isRoomy && width >= roomy : choice === 'open');
  const toggle = (): void => {
    const next = isOpen ? 'closed' : 'open';
    localStorage.setItem(key, next);
    setChosen((before) => ({ ...before, [key]: next }));
  };
  return { isOpen, toggle };
}
