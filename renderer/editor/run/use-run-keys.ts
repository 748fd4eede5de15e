import { useEffect } from 'react';
import { showToast } from '../../ui/overlay/toasts.tsx';
import type { EditorSession } from '../session/editor-session.ts';
import type { TestLoop } from './test-loop.ts';

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;

/**
 * Ctrl+Enter runs all steps, Ctrl+Shift+Enter up to the selected step; with Command on macOS. The listener runs
 * before the code pane, which would insert a line.
 */
export function useRunKeys(loop: TestLoop, session: EditorSession): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      if (isInDialog(event.target)) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.repeat) return;
      if (!event.shiftKey) return loop.runAll();
      const step = session.view.selection.findLast(
        ({ section, document }) => section === 'step' && document === undefined,
      );
      if (step) loop.runUpTo(step.name);
      else showToast('info', 'Select a step of the main workflow first.');
    };
    window.addEventListener('keydown', onKeyDown, { capture: true });
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true });
  }, [loop, session]);
}
