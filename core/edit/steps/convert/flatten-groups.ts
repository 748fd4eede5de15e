import { isSeq, type YAMLSeq } from 'yaml';
import type { EditResult } from '../../edit-result.ts';
import type { TextChange } from '../../text-change.ts';
import { endOfNode, entriesOf, isFlow, type Collection } from '../../yaml/entries/entries.ts';
import { reject, type OpenWorkflow } from '../open-workflow.ts';
import { readEntryLines, startOfLine } from '../places/entry-lines.ts';
import { withLineEndsOf, writeItem } from '../places/insert-steps.ts';
import { asItem } from '../places/step-source.ts';
import { sourceOfEntry } from '../places/source-of-step.ts';
import { noEdit } from '../sequence.ts';

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
  const end = endOfNode(text, group);
  return [
    { from, to: from + 1, insert: '' },
    { from: end - 1, to: end, insert: '' },
  ];
}

function flattenLines(text: string, container: YAMLSeq, position: number, group: YAMLSeq): TextChange {
  const { column, at } = readEntryLines(text, container as Collection);
  const range = at(position)!;
  const members = entriesOf(group as Collection).map((_, member) =>
    writeItem(asItem(sourceOfEntry(text, { collection: group as Collection, position: member })), column),
  );
  const from = range.isInline ? range.from : startOfLine(text, range.entry.from);
  const lines = members.join('').slice(range.isInline ? column : 0);
  const insert = text[range.to - 1] === '\n' ? lines : lines.replace(/\n$/, '');
  return { from, to: range.to, insert: withLineEndsOf(text, insert) };
}
