import { loadSpec } from '../spec/load.ts';
import type { Analysis } from './analysis.ts';
import { outlineOf } from './outline/outline-of.ts';
import type { EditableText } from './yaml/editable-text.ts';

/**
 * Analyzes one version of a text: its workflows, errors and outline. Pure, for use in a worker; never throws. The base
 * configuration of the home is not available here, so handlers, a container or `ssh` that it would add are missing
 * from the workflows and from validation.
 * @param file name of the file, which is the default name of its workflow
 */
export function analyzeEditable(editable: EditableText, file: string): Analysis {
  const { text, documents } = editable;
  const { workflows, diagnostics } = loadSpec({ text, file, documents });
  return { text, workflows, diagnostics, outline: outlineOf(editable) };
}
