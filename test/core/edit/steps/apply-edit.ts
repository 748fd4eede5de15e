import { expect } from 'vitest';
import { type EditResult, type NodeRef, applyChanges } from '../../../../core/edit/text-change.ts';
import { invertChanges } from '../invert-changes.ts';
import { readEditable, type EditableText } from '../../../../core/edit/yaml/editable-text.ts';
import { loadSpec } from '../../../../core/spec/load.ts';

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
