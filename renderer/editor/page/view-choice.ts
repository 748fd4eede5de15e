/** Which of the two middle views are shown. */
export type EditorView = 'canvas' | 'split' | 'code';

const storageKey = 'stepwright.editor.view';

/** Reads the last choice on this machine. */
export function readViewChoice(): EditorView {
  const stored = localStorage.getItem(storageKey);
  return stored === 'canvas' || stored === 'code' ? stored : 'split';
}

export const storeViewChoice = (view: EditorView): void => localStorage.setItem(storageKey, view);
