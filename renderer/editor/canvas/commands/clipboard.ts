import { showToast } from '../../../ui/overlay/toasts.tsx';

/**
 * Puts a text on the clipboard where no key or event of the browser does it, as from a menu. A page may not be let do
 * that: then it is said, with the key that needs no permission.
 * @returns whether it is there
 */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    showToast('error', 'This page has no access to the clipboard. Press Ctrl+C or Ctrl+X on the canvas.');
    return false;
  }
}

/** @returns the text on the clipboard; undefined when the page may not read it, which is said */
export async function readClipboard(): Promise<string | undefined> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    showToast('error', 'This page cannot read the clipboard. Press Ctrl+V on the canvas.');
    return undefined;
  }
}
