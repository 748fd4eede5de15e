import { isSeq, type YAMLSeq } from 'yaml';
import type { EditResult, TextChange } from '../text-change.ts';
import type { EditableText } from '../yaml/editable-text.ts';
import { setValue } from '../yaml/set-value.ts';
import { getNodeEnd, getEntries, isFlow, type Collection } from '../yaml/entries.ts';
import { insertTopField } from './set-step-field.ts';
import { materializeNames } from './expand-text.ts';
import {
  nodePathIn,
  openWorkflow,
  reject,
  type OpenWorkflow,
  composeEdits,
  noEdit,
  mergeEdits,
} from './open-workflow.ts';
import { changeDepends, expandToMap } from './connect.ts';
import { readEntryLines, findLineStart } from './entry-lines.ts';
import { matchLineEndings, writeItem } from './insert-steps.ts';
import { asItem, getEntrySource } from './step-source.ts';

/** Maximum number of dependencies that are written; two consecutive groups of a hundred steps have ten thousand. */
const MAX_WRITTEN = 20_000;

/**
 * Converts a chain to a graph with explicit dependencies for each step. Groups become single steps.
 * @param document document index; default: the main workflow
 */
export function convertToGraph(editable: EditableText, document?: number): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  if (workflow.type === 'graph') return reject('This workflow already uses explicit dependencies.');
  const { waitsFor } = workflow;
  const count = waitsFor.reduce((sum, { length }) => sum + length, 0);
  if (count > MAX_WRITTEN)
    return reject(
      `The steps have ${count.toLocaleString('en-US')} dependencies, too many to write out. Put one step between large groups first.`,
    );
  const waiting = waitsFor.flatMap((depends, position) => (depends.length > 0 ? [position] : []));
  return composeEdits(editable, document, [
    (current) => materializeNames(current, waitsFor.flat()),
    flattenGroups,
    (current) => mergeEdits(...waiting.map((position) => expandToMap(current, position))),
    (current) =>
      mergeEdits(
        setType(current, 'graph'),
        ...waiting.map((position) =>
          changeDepends(current, position, { add: waitsFor[position]!.map((each) => current.names[each]!) }),
        ),
      ),
  ]);
}

/** Sets `type` of the workflow. */
export function setType(workflow: OpenWorkflow, type: 'chain' | 'graph'): EditResult {
  const field = workflow.fields.get('type');
  if (field !== undefined) return setValue(workflow.editable, nodePathIn(workflow, [field.key]), type);
  return type === 'chain' ? noEdit : insertTopField(workflow, 'type', type);
}

/** Moves steps from nested lists into the list itself, in the same order. */
export function flattenGroups({ container, fields, editable }: OpenWorkflow): EditResult {
  if (!isSeq(container)) return noEdit;
  const groups = container.items.flatMap((item, position) =>
    isSeq(item) ? [{ group: item, position }] : [],
  );
  if (groups.length === 0) return noEdit;
  if (fields.get('steps')?.written !== container)
    return reject(
      'These steps come from a YAML anchor. Replace the alias with its steps in the source first.',
    );
  const { text } = editable;
  return {
    ok: true,
    changes: groups.flatMap(({ group, position }) =>
      isFlow(container) ? removeBrackets(text, group) : [flattenLines(text, container, position, group)],
    ),
  };
}

function removeBrackets(text: string, group: YAMLSeq): TextChange[] {
  const [from] = group.range!;
  const end = getNodeEnd(text, group);
  return [
    { from, to: from + 1, insert: '' },
    { from: end - 1, to: end, insert: '' },
  ];
}

function flattenLines(text: string, container: YAMLSeq, position: number, group: YAMLSeq): TextChange {
  const { column, at } = readEntryLines(text, container as Collection);
  const range = at(position)!;
  const members = getEntries(group as Collection).map((_, member) =>
    writeItem(asItem(getEntrySource(text, { collection: group as Collection, position: member })), column),
  );
  const from = range.isInline ? range.from : findLineStart(text, range.entry.from);
  const lines = members.join('').slice(range.isInline ? column : 0);
  const insert = text[range.to - 1] === '\n' ? lines : lines.replace(/\n$/, '');
  return { from, to: range.to, insert: matchLineEndings(text, insert) };
}
