import type { Diagnostic } from '../model/diagnostic.ts';
import type { Analysis } from './build-outline.ts';
import type { NodeRef } from './text-change.ts';
import type { AuthoredPath, OutlineStep } from './outline.ts';
import { canonicalName, documentAt } from './step-fields.ts';

/** Parses a field path: `steps[2].env["A B"]` → `steps`, 2, `env`, `A B`. */
export function readFieldPath(path: string): AuthoredPath {
  return Array.from(
    path.matchAll(/\[(\d+)\]|\[("(?:\\.|[^"\\])*")\]|\.?([^.[\]]+)/g),
    ([, index, quoted, key]) =>
      index === undefined ? (quoted === undefined ? key! : (JSON.parse(quoted) as string)) : Number(index),
  );
}

/** Returns the offset of a diagnostic, or the end of the text if the position does not exist. */
export function getOffset(text: string, { line, column }: Diagnostic): number {
  let at = text.startsWith('\uFEFF') && line === 1 ? 1 : 0;
  for (let passed = 1; passed < line; passed += 1) at = text.indexOf('\n', at) + 1;
  return Math.min(at + column - 1, text.length);
}

/** Diagnostics by document, section and name. */
type Groups = ReadonlyMap<string, readonly Diagnostic[]>;

const groups = new WeakMap<Analysis, Groups>();

/** Returns the diagnostics of one step or handler. */
export function getDiagnostics(analysis: Analysis, ref: NodeRef): readonly Diagnostic[] {
  let grouped = groups.get(analysis);
  if (grouped === undefined) {
    grouped = groupByStep(analysis);
    groups.set(analysis, grouped);
  }
  return grouped.get(groupKey(ref)) ?? [];
}

const groupKey = ({ section, name, document }: NodeRef): string =>
  JSON.stringify([document ?? null, section, name]);

function groupByStep({ text, outline, diagnostics }: Analysis): Groups {
  return Map.groupBy(diagnostics, (diagnostic) => {
    const document = documentAt(outline, getOffset(text, diagnostic));
    if (document === undefined) return '';
    const step = findOwner([...document.steps, ...document.handlers], readFieldPath(diagnostic.path));
    return step === undefined ? '' : groupKey(step);
  });
}

/**
 * Finds the step that contains a path. The first element differs at most in its spelling, because only that field
 * contains steps.
 */
function findOwner(steps: readonly OutlineStep[], [first, ...rest]: AuthoredPath): OutlineStep | undefined {
  const section = canonicalName(String(first), 'workflow');
  return steps.find((step) => {
    if (section !== (step.section === 'step' ? 'steps' : 'handlerOn')) return false;
    const stepPath = step.section === 'handler' ? [step.name] : step.path.slice(1);
    return stepPath.every((key, index) => String(rest[index]) === String(key));
  });
}
