import type { JsonValue } from '../base/json.ts';
import { hasContent } from './build-outline.ts';
import { nodeRefIn, openWorkflow } from './steps/open-workflow.ts';
import { setStepField, setWorkflowField } from './steps/set-step-field.ts';
import { getNodeText } from './step-fields.ts';
import { applyChanges, type EditResult } from './text-change.ts';
import { readEditable, type EditableText } from './yaml/editable-text.ts';
import { plainValue } from './yaml/read-value.ts';

/* Changes of whole workflow files, which keep comments and everything else. */

/** The text after an edit, or why it is not possible. */
export type EditedText = { readonly text: string } | { readonly reason: string };

/** Changes of the fields that organize workflows. */
export interface OrganizingFields {
  readonly addTags?: readonly string[] | undefined;
  readonly removeTags?: readonly string[] | undefined;
  /** Null removes the field, as for the queue. */
  readonly group?: string | null | undefined;
  readonly queue?: string | null | undefined;
}

/** Changes tags, group and queue of the first workflow of a file. */
export function editOrganizingFields(text: string, changes: OrganizingFields): EditedText {
  const { addTags = [], removeTags = [], group, queue } = changes;
  const tags = changeTags(readEditable(text), addTags, removeTags);
  return sequence(text, [
    ...(tags === undefined ? [] : [(each: EditableText) => setField(each, 'tags', tags.value)]),
    ...(group === undefined ? [] : [(each: EditableText) => setField(each, 'group', group)]),
    ...(queue === undefined ? [] : [(each: EditableText) => setField(each, 'queue', queue)]),
  ]);
}

/** Sets the name of the first workflow of a file, if the file has the field `name`. */
export function editName(text: string, name: string): EditedText {
  return sequence(text, [
    (editable) =>
      hasField(editable, 'name') ? setWorkflowField(editable, ['name'], name) : { ok: true, changes: [] },
  ]);
}

function hasField(editable: EditableText, field: string): boolean {
  const workflow = openWorkflow(editable);
  return !('reason' in workflow) && workflow.fields.has(field);
}

function setField(editable: EditableText, field: string, value: JsonValue): EditResult {
  if (value !== null) return setWorkflowField(editable, [field], value);
  return hasField(editable, field)
    ? setWorkflowField(editable, [field], undefined)
    : { ok: true, changes: [] };
}

/** Keeps the form of the tags: a list, or a comma-separated string. Returns undefined if nothing changes. */
function changeTags(
  editable: EditableText,
  added: readonly string[],
  removed: readonly string[],
): { readonly value: JsonValue } | undefined {
  const workflow = openWorkflow(editable);
  if ('reason' in workflow) return added.length + removed.length > 0 ? { value: [...added] } : undefined;
  const field = workflow.fields.get('tags');
  const written = field === undefined ? [] : plainValue(workflow.document, field.value);
  const isText = typeof written === 'string';
  const before = isText ? written.split(',').map((tag) => tag.trim()) : toStrings(written);
  const isSame = (tag: string, other: string): boolean => tag.toLowerCase() === other.toLowerCase();
  const remaining = before.filter((tag) => tag !== '' && !removed.some((other) => isSame(tag, other)));
  const next = [...remaining, ...added.filter((tag) => !remaining.some((other) => isSame(tag, other)))];
  if (next.length === before.length && next.every((tag, index) => tag === before[index])) return undefined;
  if (next.length === 0) return { value: null };
  return { value: isText ? next.join(', ') : next };
}

const toStrings = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/**
 * Sets the defaults of parameters in the list of the first workflow of a file. Names that it does not have are ignored.
 * @param defaults by name
 */
export function editParamDefaults(text: string, defaults: Readonly<Record<string, JsonValue>>): EditedText {
  const workflow = openWorkflow(readEditable(text));
  if ('reason' in workflow) return { reason: workflow.reason };
  const field = workflow.fields.get('params');
  const written = field === undefined ? [] : plainValue(workflow.document, field.value);
  if (!Array.isArray(written)) return { reason: 'The parameters of this workflow are not a list.' };
  const edits = written.flatMap((item: unknown, index) => {
    if (typeof item !== 'object' || item === null) return [];
    const isTyped = 'name' in item && Object.keys(item).length > 1;
    const name = isTyped ? String(item.name) : Object.keys(item)[0]!;
    const value = defaults[name];
    const path = ['params', index, isTyped ? 'default' : name];
    return value === undefined ? [] : [(each: EditableText) => setWorkflowField(each, path, value)];
  });
  return sequence(text, edits);
}

/**
 * Renames the workflows that steps and handlers run.
 * @param rename returns the new name or path; undefined if it stays
 * @returns also the names of the changed steps
 */
export function renameSubWorkflows(
  text: string,
  rename: (written: string) => string | undefined,
): EditedText & { readonly steps: readonly string[] } {
  const steps: string[] = [];
  const edits = listDocuments(readEditable(text)).flatMap((index) => {
    const workflow = openWorkflow(readEditable(text), index);
    if ('reason' in workflow) return [];
    const { drafts, names, handlers } = workflow;
    const all = [
      ...drafts.map((draft, at) => ({ draft, ref: nodeRefIn(workflow, names[at]!) })),
      ...handlers.map((draft) => ({ draft, ref: nodeRefIn(workflow, draft.name, 'handler') })),
    ];
    return all.flatMap(({ draft, ref }) => {
      const written = getNodeText(draft.fields.get('run')?.value);
      const value = written === undefined ? undefined : rename(written);
      if (value === undefined) return [];
      steps.push(ref.name);
      return [(editable: EditableText) => setStepField(editable, ref, { field: ['run'], value })];
    });
  });
  return { ...sequence(text, edits), steps };
}

const listDocuments = ({ documents }: EditableText): number[] =>
  documents.flatMap((document, index) => (hasContent(document) ? [index] : []));

function sequence(text: string, edits: readonly ((editable: EditableText) => EditResult)[]): EditedText {
  let current = readEditable(text);
  for (const edit of edits) {
    const result = edit(current);
    if (!result.ok) return { reason: result.reason };
    if (result.changes.length > 0)
      current = readEditable(applyChanges(current.text, result.changes), current);
  }
  return { text: current.text };
}
