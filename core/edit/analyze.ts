import { loadSpec } from '../spec/load.ts';
import type { Analysis } from './analysis.ts';
import { outlineOf } from './outline/outline-of.ts';
import type { EditableText } from './yaml/editable-text.ts';

/**
 * Looks at one state of a text: what the engine would run, what is wrong, what stands where. Pure, for a worker; never
 * throws. The base configuration of the home is not known here: what it would add, such as handlers, a container or
 * `ssh` for all steps, is missing from the workflows and from what is checked.
 * @param file the name of the file, which a workflow without a name is called by
 */
export function analyzeEditable(editable: EditableText, file: string): Analysis {
  const { text, documents } = editable;
  const { workflows, diagnostics } = loadSpec({ text, file, documents });
  return { text, workflows, diagnostics, outline: outlineOf(editable) };
}
