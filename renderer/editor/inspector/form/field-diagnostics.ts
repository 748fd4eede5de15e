import type { Analysis } from '../../../../core/edit/analysis.ts';
import type { AuthoredPath } from '../../../../core/edit/outline.ts';
import { diagnosticsOf, offsetOf, readFieldPath } from '../../../../core/edit/outline/diagnostic-place.ts';
import { canonicalName } from '../../../../core/edit/outline/fields.ts';
import { documentAt } from '../../../../core/edit/outline/look-up.ts';
import type { Diagnostic } from '../../../../core/model/diagnostic.ts';
import { findNode, findWorkflow } from '../../session/node-selection.ts';
import type { Target } from '../reading/field-state.ts';

/** What is wrong, by the way to it within the target. */
export type Found = readonly { readonly path: AuthoredPath; readonly diagnostic: Diagnostic }[];

/**
 * What the newest analysis has found in what a form shows.
 * @param document of the workflow, without nodes; the main one when undefined
 */
export function collectDiagnostics(
  analysis: Analysis | undefined,
  target: Target,
  document: number | undefined,
): Found {
  if (analysis === undefined) return [];
  const { outline, text } = analysis;
  const home = findWorkflow(outline, document);
  if (target.length === 0)
    return analysis.diagnostics.flatMap((diagnostic) => {
      if (documentAt(outline, offsetOf(text, diagnostic)) !== home) return [];
      const [first = '', ...rest] = readFieldPath(diagnostic.path);
      const name = canonicalName(String(first), 'workflow') ?? String(first);
      return name === 'steps' || (name === 'handlerOn' && rest.length > 0)
        ? []
        : [{ path: first === '' ? [] : [name, ...rest], diagnostic }];
    });
  return target.flatMap((ref) => {
    const depth = findNode(analysis.outline, ref)?.path.length ?? 0;
    return diagnosticsOf(analysis, ref).map((diagnostic) => {
      const [first, ...rest] = readFieldPath(diagnostic.path).slice(depth);
      const path = first === undefined ? [] : [canonicalName(String(first), 'step') ?? first, ...rest];
      return { path, diagnostic };
    });
  });
}

/** What is wrong at a field or below it; with `exact` at itself only. */
export const pick = (found: Found, path: AuthoredPath, exact: boolean): readonly Diagnostic[] =>
  found
    .filter(
      (one) =>
        (exact ? one.path.length === path.length : one.path.length >= path.length) &&
        path.every((part, index) => String(part) === String(one.path[index])),
    )
    .map(({ diagnostic }) => diagnostic);
