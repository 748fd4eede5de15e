import { useEffect, useState } from 'react';
import { useEditorSession } from '../session/use-session.ts';
import type { InspectedTarget } from './reading/field-state.ts';

/** Returns the innermost field at the cursor of the code pane; undefined while the pane has no focus. */
export function useCodeCursor(inspected: InspectedTarget | undefined): string | undefined {
  const session = useEditorSession();
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    const updateCursor = (): void => {
      const at = session.state.selection.main.head;
      setCurrent(session.editor?.hasFocus && inspected ? fieldAt(inspected, at) : undefined);
    };
    updateCursor();
    document.addEventListener('selectionchange', updateCursor);
    return () => document.removeEventListener('selectionchange', updateCursor);
  }, [session, inspected]);
  return current;
}

/** Returns the field at a position in the text: the smallest range around it. */
export function fieldAt({ fields }: InspectedTarget, at: number): string | undefined {
  return Object.entries(fields)
    .filter(([, { range, origin }]) => origin === undefined && range.from <= at && at <= range.to)
    .toSorted(([, one], [, two]) => one.range.to - one.range.from - (two.range.to - two.range.from))[0]?.[0];
}
