import { useState } from 'react';

const storageKey = 'stepwright.editor.palette';
/** A canvas narrower than this is better off without it. */
const roomy = 620;

/** Whether the palette is open: as it was left last, else when there is room. */
export function usePalette(width: number | undefined) {
  const [chosen, setChosen] = useState(() => localStorage.getItem(storageKey));
  const isOpen = width !== undefined && (chosen === null ? width >= roomy : chosen === 'open');
  const toggle = (): void => {
    const next = isOpen ? 'closed' : 'open';
    localStorage.setItem(storageKey, next);
    setChosen(next);
  };
  return { isOpen, toggle };
}
