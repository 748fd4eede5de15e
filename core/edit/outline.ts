import type { Diagnostic } from '../model/diagnostic.ts';
import type { Analysis } from './build-outline.ts';
import type { NodeRef } from './text-change.ts';
import { canonicalName } from '../spec/foreign-fields.ts';

/** Keys and indexes from the root of a document, with the keys as written. */
export type AuthoredPath = readonly (string | number)[];

/** The document and path of a value. */
export interface NodePath {
  /** 0-based; the first document with content is the main workflow. */
  readonly document: number;
  readonly path: AuthoredPath;
}

/** A range of text. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Properties of a step other than its action; values that are expressions are strings. */
export interface StepSettings {
  /** Number of conditions. */
  readonly conditions?: number;
  readonly retry?: { readonly limit?: number | string; readonly intervalSec?: number | string };
  readonly repeat?: {
    readonly mode?: 'while' | 'until';
    readonly limit?: number | string;
    readonly intervalSec?: number | string;
  };
  /** `items` if they are a literal list. */
  readonly parallel?: { readonly items?: number; readonly atOnce?: number | string };
  readonly timeoutSec?: number | string;
  readonly output?: string;
  /** The run continues if the step does not succeed. */
  readonly continuesOnError?: true;
}

/** A step or handler in the text. Available for any valid YAML, whatever other errors there are. */
export interface OutlineStep extends TextRange {
  readonly section: 'step' | 'handler';
  /** The name as the engine generates it, for example `cmd_2` for a step without a name; for a handler its kind. */
  readonly name: string;
  /** Document index of a further workflow of the file. */
  readonly document?: number;
  /** Whether the name is written in the text. */
  readonly isNamed: boolean;
  readonly id?: string;
  readonly path: AuthoredPath;
  /** Range of the written name. */
  readonly nameRange?: TextRange;
  /** Names of the steps it depends on: written, or implied in a chain. */
  readonly depends: readonly string[];
  /** For a step in a nested list of a chain, whose steps run in parallel: index of that list among the steps. */
  readonly group?: number;
  /** One-line summary of its action, as far as it is known. */
  readonly detail: string;
  /** `command`, `script`, `dag`, or the `type` as written. */
  readonly kind: string;
  readonly settings?: StepSettings;
}

/** One workflow of the file. */
export interface OutlineDocument extends TextRange {
  readonly index: number;
  /** As written; absent if the file name is used. */
  readonly name?: string;
  readonly type: 'chain' | 'graph';
  /** Whether the steps are a list or a map by name. */
  readonly stepsForm: 'list' | 'map' | 'none';
  readonly steps: readonly OutlineStep[];
  readonly handlers: readonly OutlineStep[];
}

/** Structure of a workflow file. */
export interface Outline {
  /** Empty if the text is not valid YAML. */
  readonly documents: readonly OutlineDocument[];
}

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

/** Returns the document at or before an offset; the first document for an offset before all of them. */
export function documentAt({ documents }: Outline, offset: number): OutlineDocument | undefined {
  return documents.findLast(({ from }) => from <= offset) ?? documents[0];
}

/** Returns the reference that edits and selections use for a step or handler. */
export const toNodeRef = ({ section, name, document }: NodeRef): NodeRef => ({
  section,
  name,
  ...(document !== undefined && { document }),
});

/** Returns the key of a value within its target. */
export const getPathKey = (path: AuthoredPath): string => JSON.stringify(path);
