import type { EditResult } from '../../edit-result.ts';
import type { EditableText } from '../../yaml/editable-text.ts';
import { endOfEntry, entriesOf, isFlow, type Collection } from '../../yaml/entries/entries.ts';
import { removeValue } from '../../yaml/values/remove-value.ts';
import { addressIn, openWorkflow, refuse, type OpenWorkflow } from '../open-workflow.ts';
import { readEntryLines } from '../places/entry-lines.ts';
import { linesOf } from '../places/move-entry.ts';
import { editInTurn, nothing, together } from '../sequence.ts';
import { setType } from './convert-to-graph.ts';
import { flattenGroups } from './flatten-groups.ts';

/**
 * Makes a chain of a graph that is a line: its steps are put in the order in which they run, and `depends` goes.
 * @param document its index; that of the main workflow when absent
 */
export function convertToChain(editable: EditableText, document?: number): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  if (workflow.type === 'chain') return refuse('The workflow is a chain already.');
  const order = readLine(workflow);
  if (typeof order === 'string') return refuse(order);
  return editInTurn(editable, document, [
    flattenGroups,
    (current) =>
      together(setType(current, 'chain'), ...current.drafts.map((_, place) => dropDepends(current, place))),
    (current) => reorder(current, order),
  ]);
}

/** The places of the steps in the order in which they run, or why they are no line. */
function readLine({ waitsFor, names, written, references }: OpenWorkflow): number[] | string {
  const unknown = written.flat().find((entry) => entry !== undefined && !references.has(entry.reference));
  if (unknown !== undefined) return `There is no step "${unknown.reference}" to depend on. Mend that first.`;
  const next = new Map<number, number>();
  for (const [place, depends] of waitsFor.entries()) {
    if (depends.length > 1)
      return `"${names[place]!}" waits for ${depends.length} steps; in a chain each waits for one.`;
    for (const before of depends) {
      const other = next.get(before);
      if (other !== undefined)
        return `"${names[other]!}" and "${names[place]!}" both wait for "${names[before]!}"; in a chain they cannot run side by side.`;
      next.set(before, place);
    }
  }
  const starts = waitsFor.flatMap((depends, place) => (depends.length === 0 ? [place] : []));
  if (starts.length > 1)
    return `"${names[starts[0]!]!}" and "${names[starts[1]!]!}" both wait for nothing; in a chain they cannot run side by side.`;
  const order: number[] = [];
  for (let place = starts[0]; place !== undefined; place = next.get(place)) order.push(place);
  return order.length === names.length ? order : 'Some steps wait for each other. Mend that first.';
}

function dropDepends(workflow: OpenWorkflow, place: number): EditResult {
  const { path, fields } = workflow.drafts[place]!;
  const field = fields.get('depends');
  if (field === undefined) return nothing;
  if (field.isMerged)
    return refuse(
      `"depends" of "${workflow.names[place]!}" comes from an anchor. Change it in the text first.`,
    );
  return removeValue(workflow.editable, addressIn(workflow, [...path, field.key]));
}

/** Blank lines stay between the same places. */
function reorder({ container, editable: { text } }: OpenWorkflow, order: readonly number[]): EditResult {
  if (order.every((place, index) => place === index)) return nothing;
  const collection = container as Collection;
  if (isFlow(collection)) {
    const texts = entriesOf(collection).map((entry) => text.slice(entry.from, endOfEntry(text, entry)));
    const changes = entriesOf(collection).map((entry, index) => ({
      from: entry.from,
      to: endOfEntry(text, entry),
      insert: texts[order[index]!]!,
    }));
    return { ok: true, changes };
  }
  const { at, count, column } = readEntryLines(text, collection);
  const entries = Array.from({ length: count }, (_, place) => at(place)!);
  const lines = entries.map((range) => linesOf(text, range, column));
  return {
    ok: true,
    changes: entries.map(({ from, to, isInline }, index) => {
      const moved = lines[order[index]!]!.slice(isInline ? column : 0);
      return { from, to, insert: text[to - 1] === '\n' ? moved : moved.replace(/\r?\n$/, '') };
    }),
  };
}
