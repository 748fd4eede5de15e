import { isAlias, isMap, type Node } from 'yaml';
import { type EditResult, type TextChange, reject } from '../text-change.ts';
import type { StepDraft } from '../read-steps.ts';
import { getNodeEnd, getEntries, isBlockCollection, isFlow, type Entry } from '../yaml/entries.ts';
import { setValue } from '../yaml/set-value.ts';
import { walk } from '../yaml/walk.ts';
import { valueText } from './names.ts';
import { nodePathIn, type OpenWorkflow, noEdit, mergeEdits } from './open-workflow.ts';
import { getColumn } from './entry-lines.ts';
import { matchLineEndings } from './insert-steps.ts';

/**
 * Converts a step that is a string (its command) or an alias to a map, so that it can have fields. Its value stays as
 * written.
 * @param name value of a `name` field to add first
 */
export function expandText(workflow: OpenWorkflow, draft: StepDraft, name?: string): EditResult {
  const { editable } = workflow;
  const address = nodePathIn(workflow, draft.path);
  const way = walk(editable, address);
  if ('reason' in way) return reject(way.reason);
  const entry = way.entries.at(-1);
  if (way.end !== 'found' || entry === undefined)
    return reject(
      `This step is part of a YAML anchor. Replace the alias with its content in the source first.`,
    );
  if (entry.value === null) return setValue(editable, address, name === undefined ? {} : { name });
  const key = isAlias(entry.value) && isMap(draft.node) ? '<<' : 'command';
  return { ok: true, changes: wrap(editable.text, entry, entry.value, { key, name }) };
}

/** Nests the value of an entry under a key. */
function wrap(
  text: string,
  entry: Entry,
  value: Node,
  { key, name }: { readonly key: string; readonly name: string | undefined },
): TextChange[] {
  const start = entry.mark + text.slice(entry.mark).search(/\S/);
  const end = getNodeEnd(text, value);
  if (isFlow(entry.collection)) {
    const first = name === undefined ? '' : `name: ${valueText(name, true)}, `;
    return [
      { from: start, to: start, insert: `{ ${first}${key}: ` },
      { from: end, to: end, insert: ' }' },
    ];
  }
  const isItem = entry.key === undefined;
  const column = isItem ? getColumn(text, start) : getColumn(text, entry.from) + 2;
  const lineBreak = matchLineEndings(text, '\n') + ' '.repeat(column);
  const first = name === undefined ? '' : `name: ${valueText(name)}${lineBreak}`;
  return [
    { from: isItem ? start : entry.mark, to: start, insert: `${isItem ? '' : lineBreak}${first}${key}: ` },
    ...indentFurther(text, start, end),
  ];
}

/** Indents the lines after the first one, so that they are deeper than the new key. */
function indentFurther(text: string, from: number, to: number): TextChange[] {
  const changes: TextChange[] = [];
  for (let at = text.indexOf('\n', from) + 1; at > 0 && at < to; at = text.indexOf('\n', at) + 1) {
    if (!/[\r\n]/.test(text[at]!)) changes.push({ from: at, to: at, insert: '  ' });
  }
  return changes;
}

/** Inserts a field before all others of a step that is a map. */
function insertFirstField(workflow: OpenWorkflow, draft: StepDraft, key: string, value: string): EditResult {
  const { editable } = workflow;
  const map = draft.node;
  const entries = isMap(map) ? getEntries(map) : [];
  if (!isMap(map) || draft.written !== draft.node || entries.length === 0)
    return setValue(editable, nodePathIn(workflow, [...draft.path, key]), value);
  const at = entries[0]!.from;
  const isFlowMap = !isBlockCollection(map);
  const separator = isFlowMap
    ? ', '
    : matchLineEndings(editable.text, '\n') + ' '.repeat(getColumn(editable.text, at));
  const insert = `${key}: ${valueText(value, isFlowMap)}${separator}`;
  return { ok: true, changes: [{ from: at, to: at, insert }] };
}

/** Writes the generated names of the unnamed steps in `places` to the text. */
export function materializeNames(workflow: OpenWorkflow, positions: Iterable<number>): EditResult {
  const unnamed = [...new Set(positions)].filter((position) => workflow.drafts[position]?.name === '');
  if (unnamed.length === 0) return noEdit;
  return mergeEdits(...unnamed.map((position) => writeName(workflow, position, workflow.names[position]!)));
}

/** Adds a name as the first field of an unnamed step. */
export function writeName(workflow: OpenWorkflow, position: number, name: string): EditResult {
  const draft = workflow.drafts[position]!;
  const empty = draft.fields.get('name');
  if (empty !== undefined && !empty.isMerged)
    return setValue(workflow.editable, nodePathIn(workflow, [...draft.path, empty.key]), name);
  const isWritten = isMap(draft.node) && draft.written === draft.node;
  return isWritten ? insertFirstField(workflow, draft, 'name', name) : expandText(workflow, draft, name);
}

/** Finds the unnamed steps that are referenced by their generated names. */
export function findReferencedUnnamed(workflow: OpenWorkflow): Set<number> {
  const referred = new Set<number>();
  for (const list of workflow.written) {
    for (const { reference } of list ?? []) {
      const position = workflow.references.get(reference);
      if (
        position !== undefined &&
        workflow.drafts[position]!.name === '' &&
        workflow.names[position] === reference
      )
        referred.add(position);
    }
  }
  return referred;
}

/**
 * Writes the names of referenced unnamed steps, because the next edit may change the positions that their names are
 * generated from.
 */
export function materializeReferredNames(
  workflow: OpenWorkflow,
  isShifted: (position: number) => boolean = () => true,
): EditResult {
  return materializeNames(workflow, [...findReferencedUnnamed(workflow)].filter(isShifted));
}

/** Does the same for unnamed steps whose number differs because a name was taken. */
export const materializeMovedNames = (workflow: OpenWorkflow): EditResult =>
  materializeReferredNames(
    workflow,
    (position) => workflow.names[position] !== `${workflow.drafts[position]!.kind.prefix}_${position + 1}`,
  );
