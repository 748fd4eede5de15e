import { useEffect } from 'react';
import { useEditorSession } from '../session/use-session.ts';

interface EditorCommands {
  readonly save: () => void;
}

/** Whether a key belongs to a field, which has its own undo. */
const isInField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.matches('input, textarea, select, [contenteditable]:not(.cm-content)');

/** Shortcuts of the whole editor page: Ctrl+S, Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y; with Command on macOS. */
export function useEditorKeys({ save }: EditorCommands): void {
  const session = useEditorSession();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      if (key === 's' && !event.shiftKey) {
        event.preventDefault();
        return save();
      }
      // The code pane has already handled its keys.
      if (event.defaultPrevented || isInField(event.target)) return;
      if (key === 'z' && !event.shiftKey) session.undo();
      else if (key === 'y' || key === 'z') session.redo();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [session, save]);
}
