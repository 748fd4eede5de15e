import { isMap } from 'yaml';
import type { EditResult } from '../../edit-result.ts';
import { entriesOf, isFlow } from '../../yaml/entries/entries.ts';
import { RawYaml } from '../../yaml/values/raw-yaml.ts';
import { setValue } from '../../yaml/values/set-value.ts';
import { nodePathIn, type OpenWorkflow } from '../open-workflow.ts';
import { readEntryLines, startOfLine } from '../places/entry-lines.ts';
import { withLineEndsOf, writeEntry } from '../places/insert-steps.ts';

/**
 * Adds a field to a workflow above its steps.
 * @param yaml its value without indentation
 */
export function insertTopField(workflow: OpenWorkflow, key: string, yaml: string): EditResult {
  const { fields, document, editable } = workflow;
  const root = document.contents;
  const steps = fields.get('steps');
  const isPlain = isMap(root) && !isFlow(root) && steps !== undefined && !steps.isMerged;
  if (!isPlain) return setValue(editable, nodePathIn(workflow, [key]), new RawYaml(yaml));
  const { text } = editable;
  const lines = readEntryLines(text, root);
  const position = entriesOf(root).findIndex((entry) => entry.key === steps.keyNode);
  const { from, entry, isInline } = lines.at(position)!;
  // Comments above the first field are about the file.
  const at = isInline ? entry.from : position === 0 ? startOfLine(text, entry.from) : from;
  if (isInline || (at === 0 && text.startsWith('\uFEFF')))
    return setValue(editable, nodePathIn(workflow, [key]), new RawYaml(yaml));
  const insert = writeEntry({ name: key, comments: '', value: yaml, form: 'entry' }, lines.column);
  return { ok: true, changes: [{ from: at, to: at, insert: withLineEndsOf(text, insert) }] };
}
