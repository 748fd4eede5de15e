import type { Node, Scalar } from 'yaml';
import type { TextChange } from '../../text-change.ts';
import { textOfNode } from '../../outline/fields.ts';
import type { StepDraft } from '../../outline/step-drafts.ts';
import { isBlockScalar } from '../../yaml/entries/entries.ts';
import { keyText, valueText } from '../names/name-text.ts';
import type { OpenWorkflow } from '../open-workflow.ts';
import { findCandidates, findIdUses } from './find-id-uses.ts';
import { listTexts, type ExpandedText } from './list-texts.ts';

/** New names or ids by step index. */
export type Renames = ReadonlyMap<number, string>;

/**
 * Changes the names themselves and every `depends` that refers to one of these steps by name. The names of the steps
 * must be written.
 */
export function changeNames(workflow: OpenWorkflow, renames: Renames): TextChange[] {
  const { text } = workflow.editable;
  const changes = new Map<Node, TextChange>();
  for (const [position, name] of renames) {
    const { nameNode, pair } = workflow.drafts[position]!;
    if (nameNode !== undefined)
      changes.set(nameNode, replaceScalar(text, nameNode, name, pair !== undefined));
  }
  for (const { node, position } of listUses(workflow, ({ name }) => name)) {
    const name = renames.get(position);
    if (name !== undefined && !changes.has(node)) changes.set(node, replaceScalar(text, node, name, false));
  }
  return [...changes.values()];
}

/**
 * Changes the ids themselves, every `depends` that refers to one of these steps by id, and the references in strings.
 */
export function changeIds(workflow: OpenWorkflow, renames: Renames): TextChange[] {
  const { text } = workflow.editable;
  const changes = new Map<Node, TextChange>();
  for (const [position, id] of renames) {
    const node = workflow.drafts[position]!.fields.get('id')?.value;
    if (node) changes.set(node, replaceScalar(text, node, id, false));
  }
  for (const { node, position } of listUses(workflow, ({ name, id }) => (id === name ? undefined : id))) {
    const id = renames.get(position);
    if (id !== undefined && !changes.has(node)) changes.set(node, replaceScalar(text, node, id, false));
  }
  const words = [...renames].flatMap(([position, id]): [string, string][] => {
    const old = idOf(workflow.drafts[position]!);
    return old === undefined ? [] : [[old, id]];
  });
  const inTexts =
    words.length === 0 ? [] : listTexts(workflow).flatMap((each) => changeText(text, each, words));
  return [...changes.values(), ...inTexts];
}

/** Replaces the id of a step by its name in every `depends`. */
export function replaceIdByName(workflow: OpenWorkflow, step: number): TextChange[] {
  const { text } = workflow.editable;
  const changes = new Map<Node, TextChange>();
  for (const { node, position } of listUses(workflow, ({ name, id }) => (id === name ? undefined : id))) {
    if (position === step) changes.set(node, replaceScalar(text, node, workflow.names[step]!, false));
  }
  return [...changes.values()];
}

const idOf = ({ fields }: StepDraft): string | undefined => textOfNode(fields.get('id')?.value);

/** Yields the entries of all `depends` whose reference equals what `read` returns for the step they refer to. */
function* listUses(
  { written, references, names, drafts }: OpenWorkflow,
  read: (step: { name: string; id: string | undefined }) => string | undefined,
): Generator<{ node: Scalar; position: number }> {
  for (const list of written) {
    for (const { reference, node } of list ?? []) {
      const position = references.get(reference);
      if (position === undefined) continue;
      const wanted = read({ name: names[position]!, id: idOf(drafts[position]!) });
      if (reference === wanted) yield { node, position };
    }
  }
}

/** Replaces a scalar with another name in the same quotes. */
export function replaceScalar(text: string, node: Node, name: string, isKey: boolean): TextChange {
  const [from, to] = node.range!;
  const { type } = node as Scalar;
  return { from, to, insert: formatName(type, name, isKey, isInBrackets(text, from)) };
}

function formatName(type: Scalar['type'], name: string, isKey: boolean, isCautious: boolean): string {
  if (type === 'QUOTE_DOUBLE') return JSON.stringify(name);
  if (type === 'QUOTE_SINGLE') return `'${name.replaceAll("'", "''")}'`;
  return isKey ? keyText(name) : valueText(name, isCautious);
}

/**
 * Whether a position is probably inside brackets, judged by its line. If so, a name that looks like YAML is quoted,
 * which is always safe.
 */
const isInBrackets = (text: string, at: number): boolean =>
  /[[{,]/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));

/** Replaces references to several ids in one string. */
function changeText(
  text: string,
  { node, kind }: ExpandedText,
  words: readonly (readonly [string, string])[],
): TextChange[] {
  const [start, end] = node.range!;
  const from = isBlockScalar(node) ? text.indexOf('\n', start) : start;
  const source = text.slice(from, end);
  return words.flatMap(([old, id]) => {
    const uses = findIdUses(node.value, old, kind);
    if (!uses.some(({ isReal }) => isReal)) return [];
    const offsets = findCandidates(source, old);
    // A reference may be written with escapes; then the offsets in the source differ from those in the value.
    if (offsets.length !== uses.length) return [];
    return offsets.flatMap((position, index) =>
      uses[index]!.isReal ? [{ from: from + position.from, to: from + position.to, insert: id }] : [],
    );
  });
}
