import { isMap, isSeq, isScalar, stringify } from 'yaml';
import type { JsonValue } from '../../base/json.ts';
import { type EditResult, type EditRejection, applyChanges, reject } from '../text-change.ts';
import { getEntryEnd, getEntries, isFlow, type Collection } from '../yaml/entries.ts';
import { RawYaml } from '../yaml/read-value.ts';
import { setValue } from '../yaml/set-value.ts';
import { readFields, getNodeText } from '../step-fields.ts';
import { draftStep } from '../read-steps.ts';
import { readEditable } from '../yaml/editable-text.ts';
import { keyText, findNameIssue, uniqueName, takenNames } from './names.ts';
import { nodePathIn, type OpenWorkflow } from './open-workflow.ts';
import { findLineEnd, readEntryLines, type EntryLines } from './entry-lines.ts';
import { asEntry, asFlow, asItem, isBlock, type StepSource, withName } from './step-source.ts';

/**
 * Inserts steps into the list or map of steps.
 * @param position index among its items; their number to append
 */
export function insertSteps(
  workflow: OpenWorkflow,
  position: number,
  sources: readonly StepSource[],
): EditResult {
  const { container } = workflow;
  const isCollection = isMap(container) || isSeq(container);
  if (isCollection && container.items.length > 0) {
    if (workflow.fields.get('steps')!.written !== container)
      return reject(
        'These steps come from a YAML anchor. Replace the alias with its steps in the source first.',
      );
    return insertInto(workflow, container, position, sources);
  }
  const yaml = sources.map((source) => writeItem(asItem(source), 0)).join('');
  const key = workflow.fields.get('steps')?.key ?? 'steps';
  return setValue(workflow.editable, nodePathIn(workflow, [key]), new RawYaml(yaml.trimEnd()));
}

/** Does the same for a list or map that has entries. */
export function insertInto(
  { editable: { text } }: OpenWorkflow,
  collection: Collection,
  position: number,
  sources: readonly StepSource[],
): EditResult {
  const shaped = sources.map(isMap(collection) ? asEntry : asItem);
  if (isFlow(collection)) return insertInFlow(text, collection, position, shaped);
  const lines = readEntryLines(text, collection);
  const gap = findGap(text, lines, position);
  const written = shaped.map((source) => writeStep(source, lines.column));
  return { ok: true, changes: [insertLines(text, lines, position, { written, gap })] };
}

export const writeStep = (source: StepSource, column: number): string =>
  source.form === 'item' ? writeItem(source, column) : writeEntry(source, column);

export function writeItem({ comments, value }: StepSource, column: number): string {
  return indent(`${comments}- ${indentContinuation(value)}\n`, column);
}

export function writeEntry({ name, comments, value }: StepSource, column: number): string {
  const body = isBlock(value) ? `\n  ${indentContinuation(value)}` : ` ${indentContinuation(value)}`;
  return indent(`${comments}${keyText(name)}:${value === '' ? '' : body}\n`, column);
}

const indentContinuation = (value: string): string => value.replaceAll(/\r?\n(?=[^\r\n])/g, '\n  ');

const indent = (lines: string, column: number): string =>
  column === 0 ? lines : lines.replaceAll(/^(?=[^\r\n])/gm, ' '.repeat(column));

/** Returns the blank lines that separate the steps. */
export function findGap(text: string, lines: EntryLines, position: number): string {
  const at = Math.min(Math.max(position, 1), lines.count - 1);
  const [before, behind] = [lines.at(at - 1), lines.at(at)];
  if (before === undefined || behind === undefined) return '';
  const gap = text.slice(before.to, behind.from);
  return gap.trim() === '' && gap.endsWith('\n') ? gap.replaceAll('\r', '') : '';
}

function insertLines(
  text: string,
  { at, count, column }: EntryLines,
  position: number,
  { written, gap }: { written: readonly string[]; gap: string },
): { from: number; to: number; insert: string } {
  const lines = written.join(gap);
  const next = at(position);
  if (next === undefined) return appendLines(text, at(count - 1)!.to, gap + lines);
  const insert = next.isInline ? lines.slice(column) + gap + ' '.repeat(column) : lines + gap;
  return { from: next.from, to: next.from, insert: matchLineEndings(text, insert) };
}

function appendLines(text: string, at: number, lines: string): { from: number; to: number; insert: string } {
  const isOpen = at > 0 && text[at - 1] !== '\n';
  const insert = isOpen ? `\n${lines.replace(/\n$/, '')}` : lines;
  return { from: at, to: at, insert: matchLineEndings(text, insert) };
}

/** Converts line breaks to those of a text. */
export function matchLineEndings(text: string, lines: string): string {
  const end = findLineEnd(text, 0);
  return text.slice(end - 2, end) === '\r\n' ? lines.replaceAll(/\r?\n/g, '\r\n') : lines;
}

function insertInFlow(
  text: string,
  collection: Collection,
  position: number,
  sources: readonly StepSource[],
): EditResult {
  const written = sources.map(asFlow);
  if (written.includes(undefined))
    return reject(
      'Steps with comments cannot be added to a list in brackets. Write the list on several lines first.',
    );
  const entries = getEntries(collection);
  const next = entries[position];
  const joined = written.join(', ');
  if (next !== undefined)
    return { ok: true, changes: [{ from: next.from, to: next.from, insert: `${joined}, ` }] };
  const end = getEntryEnd(text, entries.at(-1)!);
  return { ok: true, changes: [{ from: end, to: end, insert: `, ${joined}` }] };
}

/** A step as YAML or as a value; a string is a command. */
export type NewStep = RawYaml | JsonValue;

/** How a new step is named. */
export interface Naming {
  /** Made unique. Default: the name in the step itself. */
  readonly name?: string;
  /** Whether it must have a name because it will be referenced. */
  readonly isNeeded: boolean;
}

/** Returns the YAML of a new step without indentation. */
export function toYaml(step: NewStep): string {
  const yaml = step instanceof RawYaml ? step.yaml : stringify(step, { lineWidth: 0 });
  return yaml.replaceAll('\r\n', '\n').replace(/^\n+/, '').replace(/\s+$/, '');
}

/** Prepares a step for a workflow and makes its name unique. */
export function prepareStep(
  workflow: OpenWorkflow,
  step: NewStep,
  naming: Naming,
): StepSource | EditRejection {
  const yaml = toYaml(step);
  const { syntaxError, documents } = readEditable(yaml);
  const node = documents[0]?.contents ?? null;
  if (syntaxError !== undefined || documents.length !== 1 || (!isMap(node) && !isScalar(node)))
    return reject('A step must be a command or a map of fields.');
  const newName = isMap(node) ? readFields(node, 'step', documents[0]!).get('name') : undefined;
  const { kind } = draftStep(node, { path: [], item: 0, isGrouped: false }, documents[0]!).kind;
  const preferredName = naming.name ?? getNodeText(newName?.value) ?? (naming.isNeeded ? kind : undefined);
  if (preferredName === undefined) return { name: '', comments: '', value: yaml, form: 'item' };
  const name = uniqueName(preferredName, takenNames(workflow));
  const problem = findNameIssue(workflow, name);
  if (problem !== undefined) return reject(problem);
  // In a map, the key is the name, so a string stays a string.
  if (newName === undefined && isMap(workflow.container))
    return { name, comments: '', value: yaml, form: 'entry' };
  if (newName === undefined) return { name, comments: '', value: withName(yaml, name), form: 'item' };
  const renamed = setValue(readEditable(yaml), { document: 0, path: [newName.key] }, name);
  return renamed.ok
    ? { name, comments: '', value: applyChanges(yaml, renamed.changes).trimEnd(), form: 'item' }
    : renamed;
}
