import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Analysis } from '../analysis.ts';
import type { NodeRef } from '../edit-result.ts';
import type { AuthoredPath, OutlineStep } from '../outline.ts';
import { canonicalName } from './fields.ts';
import { documentAt } from './look-up.ts';

/** `steps[2].env["A B"]` → `steps`, 2, `env`, `A B`. */
export function readFieldPath(path: string): AuthoredPath {
  return Array.from(
    path.matchAll(/\[(\d+)\]|\[("(?:\\.|[^"\\])*")\]|\.?([^.[\]]+)/g),
    ([, index, quoted, key]) =>
      index === undefined ? (quoted === undefined ? key! : (JSON.parse(quoted) as string)) : Number(index),
  );
}

/** Where in a text a diagnostic is, as an offset; behind the end for one of another text. */
export function offsetOf(text: string, { line, column }: Diagnostic): number {
  let at = text.startsWith('\uFEFF') && line === 1 ? 1 : 0;
  for (let passed = 1; passed < line; passed += 1) at = text.indexOf('\n', at) + 1;
  return Math.min(at + column - 1, text.length);
}

/** By document, section and name. */
type Groups = ReadonlyMap<string, readonly Diagnostic[]>;

const groups = new WeakMap<Analysis, Groups>();

/** What is wrong with one step or handler. */
export function diagnosticsOf(analysis: Analysis, ref: NodeRef): readonly Diagnostic[] {
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
    const document = documentAt(outline, offsetOf(text, diagnostic));
    if (document === undefined) return '';
    const step = findOwner([...document.steps, ...document.handlers], readFieldPath(diagnostic.path));
    return step === undefined ? '' : groupKey(step);
  });
}

/** The first element differs in its spelling only: nothing else of a workflow holds steps. */
function findOwner(steps: readonly OutlineStep[], [first, ...rest]: AuthoredPath): OutlineStep | undefined {
  const section = canonicalName(String(first), 'workflow');
  return steps.find((step) => {
    if (section !== (step.section === 'step' ? 'steps' : 'handlerOn')) return false;
    const own = step.section === 'handler' ? [step.name] : step.path.slice(1);
    return own.every((key, index) => String(rest[index]) === String(key));
  });
}
