import { useState } from 'react';
import { useRoomy } from '../../page/layout/use-roomy.ts';

const storageKey = 'stepwright.editor.palette';
/** Width of palette and canvas, pixels; a graph that has less is better off without the palette. */
const roomy = 1040;

/**
 * Whether the palette is open: as it was left last, else when there is room. In a narrow window, which is remembered by
 * itself, it is a button until somebody wants it.
 */
export function usePalette(width: number | undefined) {
  const isRoomy = useRoomy();
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
