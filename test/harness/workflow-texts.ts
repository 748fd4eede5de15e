import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { Lexer, parseAllDocuments } from 'yaml';
import { formatDiagnostic } from '../../core/spec/format-diagnostic.ts';
import { loadSpec } from '../../core/spec/load.ts';
import { type Analysis, analyzeEditable } from '../../core/edit/build-outline.ts';
import { readEditable, type EditableText } from '../../core/edit/yaml/editable-text.ts';
import { type ChangeSet, type EditResult, type NodeRef, applyChanges } from '../../core/edit/text-change.ts';
import type { AuthoredPath, NodePath } from '../../core/edit/outline.ts';
import type { JsonValue } from '../../core/base/json.ts';

/** Diagnostics of loading a text, one line each. */
export const diagnose = (text: string): string[] =>
  loadSpec({ text }).diagnostics.map((diagnostic) => formatDiagnostic(diagnostic));

/** The same for a workflow of one step, with each of its fields on a separate line. */
export const diagnoseStep = (...lines: string[]): string[] =>
  diagnose(`steps:\n  - ${lines.join('\n    ')}\n`);

/** The text of a file below `test/fixtures/workflows`, including the byte order mark. */
export function readFixture(name: string): string {
  return readFileSync(join(import.meta.dirname, '../fixtures/workflows', name), 'utf8');
}

/** Analyzes a text on its own, not as a later state of another one. */
export const analyze = (text: string, file: string): Analysis => analyzeEditable(readEditable(text), file);

/** The changes that turn the text after into the text before. */
export function invertChanges(text: string, changes: ChangeSet): ChangeSet {
  let shift = 0;
  return changes.map(({ from, to, insert }) => {
    const start = from + shift;
    shift += insert.length - (to - from);
    return { from: start, to: start + insert.length, insert: text.slice(from, to) };
  });
}

/** A step by name. */
export const step = (name: string): NodeRef => ({ section: 'step', name });

/** Makes an edit, which must be possible and whose inverse restores the same bytes. */
export function edit(text: string, make: (editable: EditableText) => EditResult): string {
  const result = make(readEditable(text));
  if (!result.ok) throw new Error(`refused: ${result.reason}`);
  const after = applyChanges(text, result.changes);
  expect(applyChanges(after, invertChanges(text, result.changes))).toBe(text);
  return after;
}

/** Why an edit is rejected. */
export function refusal(text: string, make: (editable: EditableText) => EditResult): string | undefined {
  const result = make(readEditable(text));
  return result.ok ? undefined : result.reason;
}

/** What each step depends on, as the loader has it; throws when the text has errors. */
export function dependenciesByName(text: string): Record<string, string[]> {
  const { workflows, diagnostics } = loadSpec({ text, file: 'any.yaml' });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(({ message, line }) => `${line}: ${message}`).join('\n'));
  return Object.fromEntries(workflows[0]!.steps.map(({ name, depends }) => [name, depends]));
}

/** A position in the first document. */
export function at(...path: AuthoredPath): NodePath {
  return { document: 0, path };
}

/** Lines that are not in both texts, with `-` and `+`. */
export function changedLines(before: string, after: string): string[] {
  const [old, next] = [before.split('\n'), after.split('\n')];
  let head = 0;
  while (head < old.length && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, next.length) - head && old.at(-1 - tail) === next.at(-1 - tail))
    tail += 1;
  return [
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...next.slice(head, next.length - tail).map((line) => `+${line}`),
  ];
}

const FOLDER = join(import.meta.dirname, '../fixtures/edit');

/** The files as people write them, by name. */
export const editFiles: readonly { readonly name: string; readonly text: string }[] = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.yaml'))
  .toSorted()
  .map((name) => ({ name, text: readFileSync(join(FOLDER, name), 'utf8') }));

/** The values of a text's documents according to the YAML library. */
export function listValues(text: string): JsonValue[] {
  const documents = parseAllDocuments(text, { merge: true, stringKeys: true, logLevel: 'silent' });
  if (!Array.isArray(documents)) return [null];
  for (const { errors } of documents) if (errors[0] !== undefined) throw errors[0];
  return documents.map((document) => document.toJS() as JsonValue);
}

export interface Comment {
  readonly at: number;
  readonly text: string;
}

export function getComments(text: string): Comment[] {
  const comments: Comment[] = [];
  let position = 0;
  let before = '';
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme.startsWith('#') && before !== '\u001F') comments.push({ at: position, text: lexeme });
    // These three mark positions and are not text.
    if (!['\u001F', '\u0002', '\u0018'].includes(lexeme)) position += lexeme.length;
    before = lexeme;
  }
  return comments;
}
