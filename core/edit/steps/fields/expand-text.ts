import { isAlias, isMap, type Node } from 'yaml';
import type { EditResult } from '../../edit-result.ts';
import type { TextChange } from '../../text-change.ts';
import type { StepDraft } from '../../outline/step-drafts.ts';
import { endOfNode, entriesOf, isBlockCollection, isFlow, type Entry } from '../../yaml/entries/entries.ts';
import { setValue } from '../../yaml/values/set-value.ts';
import { walk } from '../../yaml/walk.ts';
import { valueText } from '../names/name-text.ts';
import { nodePathIn, reject, type OpenWorkflow } from '../open-workflow.ts';
import { columnOf } from '../places/entry-lines.ts';
import { withLineEndsOf } from '../places/insert-steps.ts';

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
  const end = endOfNode(text, value);
  if (isFlow(entry.collection)) {
    const first = name === undefined ? '' : `name: ${valueText(name, true)}, `;
    return [
      { from: start, to: start, insert: `{ ${first}${key}: ` },
      { from: end, to: end, insert: ' }' },
    ];
  }
  const isItem = entry.key === undefined;
  const column = isItem ? columnOf(text, start) : columnOf(text, entry.from) + 2;
  const lineBreak = withLineEndsOf(text, '\n') + ' '.repeat(column);
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
export function insertFirstField(
  workflow: OpenWorkflow,
  draft: StepDraft,
  key: string,
  value: string,
): EditResult {
  const { editable } = workflow;
  const map = draft.node;
  const entries = isMap(map) ? entriesOf(map) : [];
  if (!isMap(map) || draft.written !== draft.node || entries.length === 0)
    return setValue(editable, nodePathIn(workflow, [...draft.path, key]), value);
  const at = entries[0]!.from;
  const isFlowMap = !isBlockCollection(map);
  const separator = isFlowMap
    ? ', '
    : withLineEndsOf(editable.text, '\n') + ' '.repeat(columnOf(editable.text, at));
  const insert = `${key}: ${valueText(value, isFlowMap)}${separator}`;
  return { ok: true, changes: [{ from: at, to: at, insert }] };
}
