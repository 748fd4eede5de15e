import { useMemo } from 'react';
import { isEqual } from '../../../core/base/is-equal.ts';
import type { OutlineDocument, OutlineStep } from '../../../core/edit/outline.ts';
import { findWorkflow } from '../session/node-selection.ts';
import { useStable } from '../session/use-stable.ts';
import { useSessionView } from '../session/use-session.ts';
import { collectDiagnostics, type FieldIssueList } from './form/field-diagnostics.ts';
import type { Target } from './reading/field-state.ts';

/**
 * Returns the diagnostics and outline for a form; the objects are reused while an edit only moved what the form
 * shows.
 */
export function useFieldDiagnostics(
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
