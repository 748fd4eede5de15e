import type { Analysis } from '../../../core/edit/build-outline.ts';
import {
  type AuthoredPath,
  getDiagnostics,
  getOffset,
  readFieldPath,
  documentAt,
} from '../../../core/edit/outline.ts';
import { SeverityMark } from '../../ui/status.tsx';
import { findNode, findWorkflow } from '../session/node-selection.ts';
import type { FieldIssue } from './form-context.ts';
import type { Target } from '../../../core/edit/inspect.ts';
import { canonicalName } from '../../../core/spec/foreign-fields.ts';
import styles from './inspector.module.css';

/** Diagnostics by path within the target. */
export type FieldIssueList = readonly { readonly path: AuthoredPath; readonly issue: FieldIssue }[];

/**
 * Returns the diagnostics of the latest analysis for the contents of a form.
 * @param document document index of the workflow, when no nodes are set; the main workflow when undefined
 */
export function collectDiagnostics(
  analysis: Analysis | undefined,
  target: Target,
  document: number | undefined,
): FieldIssueList {
  if (analysis === undefined) return [];
  const { outline, text } = analysis;
  const home = findWorkflow(outline, document);
  if (target.length === 0)
    return analysis.diagnostics.flatMap((diagnostic) => {
      if (documentAt(outline, getOffset(text, diagnostic)) !== home) return [];
      const [first = '', ...rest] = readFieldPath(diagnostic.path);
      const name = canonicalName(String(first), 'workflow') ?? String(first);
      return name === 'steps' || (name === 'handlerOn' && rest.length > 0)
        ? []
        : [{ path: first === '' ? [] : [name, ...rest], issue: diagnostic }];
    });
  return target.flatMap((ref) => {
    const depth = findNode(analysis.outline, ref)?.path.length ?? 0;
    return getDiagnostics(analysis, ref).map((diagnostic) => {
      const [first, ...rest] = readFieldPath(diagnostic.path).slice(depth);
      const path = first === undefined ? [] : [canonicalName(String(first), 'step') ?? first, ...rest];
      return { path, issue: diagnostic };
    });
  });
}

/**
 * Returns the diagnostics at or below a field, except those at or below other rows.
 * @param rows paths from the top of the target
 */
export const pick = (
  found: FieldIssueList,
  path: AuthoredPath,
  rows: readonly AuthoredPath[] = [],
): readonly FieldIssue[] =>
  found
    .filter((one) => isWithin(one.path, path) && !rows.some((row) => isWithin(one.path, row)))
    .map(({ issue }) => issue);

const isWithin = (inner: AuthoredPath, outer: AuthoredPath): boolean =>
  inner.length >= outer.length && outer.every((part, index) => String(part) === String(inner[index]));

interface FieldIssueProps {
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** Messages about a field or entry; renders nothing if there are none. */
export function FieldIssues({ found, id, label }: FieldIssuesProps) {
  if (found.length === 0) return null;
  return (
    <ul id={id} className={styles.faults} aria-label={label}>
      {found.map(({ severity, message }) => (
        <FieldIssueLine key={message} severity={severity} message={message} />
      ))}
    </ul>
  );
}

interface FieldIssuesProps {
  readonly found: readonly FieldIssueProps[];
  readonly id?: string;
  readonly label?: string;
}

function FieldIssueLine({ severity, message }: FieldIssueProps) {
  return (
    <li data-severity={severity}>
      <SeverityMark severity={severity} />
      <span>{message}</span>
    </li>
  );
}
