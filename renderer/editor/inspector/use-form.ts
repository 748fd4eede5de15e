import { useEffect, useState, useMemo, useCallback } from 'react';
import { isEqual } from '../../../core/base/json.ts';
import {
  type OutlineDocument,
  type OutlineStep,
  type AuthoredPath,
  getPathKey,
} from '../../../core/edit/outline.ts';
import { useEditorSession, useStable, useSessionView } from '../session/panel-state.ts';
import { findWorkflow } from '../session/node-selection.ts';
import { useEditorCommands } from '../run/editor-commands.ts';
import type { InspectedTarget, Target, FieldState } from '../../../core/edit/inspect.ts';
import { collectDiagnostics, type FieldIssueList, pick } from './field-issues.tsx';
import type { EditRequest } from '../../../core/edit/edit-request.ts';
import type { FormState, FormController } from './form-controller.ts';
import { FieldRow } from './form-sections.tsx';
import type { Form } from './form-context.ts';

/** Returns the innermost field at the cursor of the code pane; undefined while the pane has no focus. */
function useCodeCursor(inspected: InspectedTarget | undefined): string | undefined {
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

/**
 * Returns the diagnostics and outline for a form; the objects are reused while an edit only moved what the form
 * shows.
 */
function useFieldDiagnostics(
  target: Target,
  document: number | undefined,
): { readonly found: FieldIssueList; readonly outline: OutlineDocument | undefined } {
  const analysis = useSessionView((view) => view.analysis);
  const found = useMemo(() => collectDiagnostics(analysis, target, document), [analysis, target, document]);
  return {
    found: useStable(found, isEqual),
    outline: useStable(analysis && findWorkflow(analysis.outline, document), hasSameOutline),
  };
}

/** Whether two outlines are the same as far as forms show them: steps, dependencies and handler actions. */
const hasSameOutline = (before: OutlineDocument | undefined, now: OutlineDocument | undefined): boolean =>
  before?.type === now?.type &&
  hasSameList(before?.steps ?? [], now?.steps ?? []) &&
  hasSameList(before?.handlers ?? [], now?.handlers ?? []);

const hasSameList = (before: readonly OutlineStep[], now: readonly OutlineStep[]): boolean =>
  before.length === now.length &&
  now.every((step, index) => {
    const { name, id, document, depends, detail } = before[index]!;
    return (
      step.name === name &&
      step.id === id &&
      step.document === document &&
      (step.section === 'step' || step.detail === detail) &&
      (step.depends === depends || isEqual(step.depends, depends))
    );
  });

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
  const kind = target.length === 0 ? session.kind : 'step';
  const address = JSON.stringify([document ?? null, target]);
  const [rejected, setRejected] = useState({ address, rejections: none });
  const errors = rejected.address === address ? rejected.rejections : none;
  const edit = useCallback(
    async (path: AuthoredPath, request: EditRequest, label = `set ${path.join('.')}`): Promise<boolean> => {
      const key = getPathKey(path);
      const applied = await controller.apply(
        { ...request, ...(document !== undefined && { document }) },
        { label, ...(isTyping(request) && { group: `${address} ${key}` }) },
      );
      setRejected((now) => {
        const { [key]: _, ...rest } = now.address === address ? now.rejections : none;
        return { address, rejections: applied.ok ? rest : { ...rest, [key]: applied.reason } };
      });
      return applied.ok;
    },
    [controller, address, document],
  );
  const { found, outline } = useFieldDiagnostics(target, document);
  const rejectedAt = useMemo(() => listRejectedFields(errors), [errors]);
  const current = useCodeCursor(inspected[0]);
  return useMemo((): Form => {
    const states = (path: AuthoredPath) => inspected.map(({ fields }) => fields[getPathKey(path)]);
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
      getState: (path): FieldState | undefined => (isSame(path) ? states(path)[0] : undefined),
      isMixed: (path) => !isSame(path),
      set: (path, to) =>
        edit(
          path,
          { kind: 'set', target, field: path, ...(to && { to }) },
          to ? `set ${path.join('.')}` : `reset ${path.join('.')}`,
        ),
      edit,
      issuesAt: (path, rows) => [...pick(rejectedAt, path, rows), ...pick(found, path, rows)],
      say,
      show: ({ range }) => commands.showText(range),
      current,
      Row: FieldRow,
    };
  }, [session, kind, target, document, inspected, outline, edit, rejectedAt, found, say, commands, current]);
}

/** Whether the edit is typing. Moving or removing an entry is undone separately. */
const isTyping = (request: EditRequest): boolean => request.kind === 'set' && request.to !== undefined;

const listRejectedFields = (errors: FieldErrors): FieldIssueList =>
  Object.entries(errors).map(([key, message]) => ({
    path: JSON.parse(key) as AuthoredPath,
    issue: { severity: 'error', message },
  }));
