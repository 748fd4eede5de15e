import { useCallback, useMemo, useState } from 'react';
import type { AuthoredPath } from '../../../core/edit/outline.ts';
import type { EditRequest } from './reading/edit-request.ts';
import { keyOfPath, type FieldState, type InspectedTarget } from './reading/field-state.ts';
import { useEditorCommands } from '../page/editor-commands.ts';
import { useEditorSession } from '../session/use-session.ts';
import type { FormState, FormController } from './form-worker/form-controller.ts';
import { FieldRow } from './form/field-row.tsx';
import { pick, type FieldIssueList } from './form/field-diagnostics.ts';
import type { Form } from './form/form-context.ts';
import { useCodeCursor } from './use-code-cursor.ts';
import { useFieldDiagnostics } from './use-findings.ts';

/** Refusals of one target, by field. */
type FieldErrors = Readonly<Record<string, string>>;
const none: FieldErrors = {};

/** Returns the form of the selection. */
export function useSelectionForm(
  controller: FormController,
  view: FormState & { readonly inspected: readonly InspectedTarget[] },
  say: Form['say'],
): Form {
  const session = useEditorSession();
  const commands = useEditorCommands();
  const { target, document, inspected } = view;
  const kind = target.length === 0 ? 'workflow' : 'step';
  const address = JSON.stringify([document ?? null, target]);
  const [refused, setShownErrors] = useState({ address, refusals: none });
  const errors = refused.address === address ? refused.refusals : none;
  const edit = useCallback(
    async (path: AuthoredPath, request: EditRequest, label = `set ${path.join('.')}`): Promise<boolean> => {
      const key = keyOfPath(path);
      const applied = await controller.apply(
        { ...request, ...(document !== undefined && { document }) },
        { label, ...(isTyping(request) && { group: `${address} ${key}` }) },
      );
      setShownErrors((now) => {
        const { [key]: _, ...rest } = now.address === address ? now.refusals : none;
        return { address, refusals: applied.ok ? rest : { ...rest, [key]: applied.reason } };
      });
      return applied.ok;
    },
    [controller, address, document],
  );
  const { found, outline } = useFieldDiagnostics(target, document);
  const refusedAt = useMemo(() => listRejectedFields(errors), [errors]);
  const current = useCodeCursor(inspected[0]);
  return useMemo((): Form => {
    const states = (path: AuthoredPath) => inspected.map(({ fields }) => fields[keyOfPath(path)]);
    const isSame = (path: AuthoredPath): boolean => {
      const [first, ...rest] = states(path).map((state) => JSON.stringify(state?.value));
      return rest.every((one) => one === first);
    };
    return {
      session,
      kind,
      target,
      document,
      outline,
      stateOf: (path): FieldState | undefined => (isSame(path) ? states(path)[0] : undefined),
      isMixed: (path) => !isSame(path),
      set: (path, to) =>
        edit(
          path,
          { kind: 'set', target, field: path, ...(to && { to }) },
          to ? `set ${path.join('.')}` : `reset ${path.join('.')}`,
        ),
      edit,
      issuesAt: (path, rows) => [...pick(refusedAt, path, rows), ...pick(found, path, rows)],
      say,
      show: ({ range }) => commands.showText(range),
      current,
      Row: FieldRow,
    };
  }, [session, kind, target, document, inspected, outline, edit, refusedAt, found, say, commands, current]);
}

/** Whether the edit is typing. Moving or removing an entry is undone separately. */
const isTyping = (request: EditRequest): boolean => request.kind === 'set' && request.to !== undefined;

const listRejectedFields = (errors: FieldErrors): FieldIssueList =>
  Object.entries(errors).map(([key, message]) => ({
    path: JSON.parse(key) as AuthoredPath,
    issue: { severity: 'error', message },
  }));
