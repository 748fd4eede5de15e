import { useEffect, useRef } from 'react';
import { toNodeRef } from '../../../../core/edit/outline/look-up.ts';
import { useQueryParams } from '../../../app/address.ts';
import { findNodeAt } from '../../session/node-selection.ts';
import { useEditorSession, useSessionView } from '../../session/use-session.ts';
import type { EditorCommands } from '../editor-commands.ts';

/**
 * Navigates to the line in the address (`?line=12`, counted from 1; clamped to the last line), as search results
 * link to, and selects its step once the steps are known.
 */
export function useLineFromUrl(showText: EditorCommands['showText']): void {
  const session = useEditorSession();
  const [query] = useQueryParams();
  const line = Number(query.get('line'));
  const isRead = useSessionView(({ analysis }) => analysis !== undefined);
  const shown = useRef<{ readonly line: number; readonly at: number }>(undefined);
  useEffect(() => {
    if (!Number.isInteger(line) || line < 1 || shown.current?.line === line) return;
    const { doc } = session.state;
    const { from } = doc.line(Math.min(line, doc.lines));
    shown.current = { line, at: from };
    showText({ from, to: from });
  }, [session, line, showText]);
  useEffect(() => {
    const { analysis, selection } = session.view;
    const at = shown.current?.at;
    // If the user has moved on in the meantime, nothing is selected.
    if (!isRead || !analysis || at === undefined || selection.length > 0) return;
    const step = findNodeAt(analysis, session.locateInAnalysis(at));
    if (step) session.select([toNodeRef(step)], 'code');
  }, [session, isRead]);
}
