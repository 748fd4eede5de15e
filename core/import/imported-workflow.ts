import { Document } from 'yaml';
import type { JsonValue } from '../base/json.ts';

/** A workflow made from something else: text to look at and to change before it is saved. */
export interface ImportedWorkflow {
  /** Name for the file, without its ending; fits core/base/ids.ts, and is unique in one import. */
  readonly name: string;
  readonly text: string;
  /** What came out differently from the original, a sentence each. */
  readonly notes: readonly string[];
}

/** What an import gives: the workflows, or why there are none. */
export type ImportResult =
  | { readonly ok: true; readonly workflows: readonly ImportedWorkflow[]; readonly notes: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/** Most characters of a text that is imported, and most lines of it that say something. */
const mostCharacters = 1024 * 1024;
const mostLines = 20_000;

/** Why a text is too large to be imported; undefined when it is not. */
export function findSizeProblem(text: string, linesAllowed = mostLines): string | undefined {
  if (text.length > mostCharacters)
    return `The file has ${text.length} characters. The limit is ${mostCharacters}.`;
  let lines = 0;
  for (const _ of text.matchAll(/^[^\S\n]*[^\s#]/gm)) lines += 1;
  return lines > linesAllowed ? `The file has ${lines} lines. The limit is ${linesAllowed}.` : undefined;
}

/** The parts of a workflow in the order in which they are written; undefined ones are left out. */
export type WorkflowDraft = Readonly<Record<string, JsonValue | undefined>>;

/** Writes a workflow as a person would: blank lines between the steps, long texts unfolded. */
export function writeWorkflow(draft: WorkflowDraft): string {
  const given = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
  const document = new Document(given, { aliasDuplicateObjects: false });
  const steps: unknown = document.get('steps');
  if (hasItems(steps)) {
    steps.items.forEach((step, index) => {
      if (index > 0) step.spaceBefore = true;
    });
  }
  return document.toString({ lineWidth: 0, indentSeq: true });
}

const hasItems = (node: unknown): node is { items: { spaceBefore?: boolean }[] } =>
  typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items);
