import { showToast } from '../../../ui/overlay/toasts.tsx';

/**
 * Writes text to the clipboard outside of a browser copy event, for example from a menu. If the page has no
 * permission, shows a notice that names the keyboard shortcut, which needs none.
 * @returns whether the text was written
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

/** @returns the clipboard text; undefined if the page may not read it, in which case a notice is shown */
export async function readClipboard(): Promise<string | undefined> {
  try {
    return await navigator.clipboard.readText();
  } catch {
    showToast('error', 'This page cannot read the clipboard. Press Ctrl+V on the canvas.');
    return undefined;
  }
}
