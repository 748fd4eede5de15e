import { hoverTooltip, type Tooltip } from '@codemirror/view';
import { authoredSchema } from '../../../core/spec/authored.ts';
import { formatFull } from '../../format/time.ts';
import type { PreviousOutput, PreviousOutputs } from '../run/test-store.ts';
import {
  readContext,
  getBranches,
  findProperty,
  getEnumValues,
  walkSchema,
  type Schema,
} from './schema-context.ts';

const reference = /\$\{([A-Za-z_]\w*)[^}]*\}|\$([A-Za-z_]\w*)/g;
const shownCharacters = 800;

/** Returns the reference at a position in a line. */
export function findReference(
  line: string,
  at: number,
): { readonly name: string; readonly from: number; readonly to: number } | undefined {
  for (const { index, 0: whole, 1: braced, 2: bare } of line.matchAll(reference))
    if (index <= at && at <= index + whole.length)
      return { name: (braced ?? bare)!, from: index, to: index + whole.length };
  return undefined;
}

/** Displays the value of a referenced output in the last run. */
export const outputHover = (outputs: () => PreviousOutputs) =>
  hoverTooltip((view, at): Tooltip | null => {
    const line = view.state.doc.lineAt(at);
    const found = findReference(line.text, at - line.from);
    const output = found && outputs().get(found.name);
    if (!output) return null;
    const { from, to } = found;
    return {
      ...{ pos: line.from + from, end: line.from + to, above: true },
      create: () => ({ dom: drawOutput(output) }),
    };
  });

function drawOutput({ name, value, step, createdAt }: PreviousOutput): HTMLElement {
  const box = document.createElement('div');
  box.className = 'cm-fieldHelp';
  const [title, origin, text] = ['strong', 'p', 'pre'].map((tag) => document.createElement(tag));
  title!.textContent = name;
  origin!.textContent = `Output of ${step}, run on ${formatFull(createdAt)}`;
  text!.textContent = value.length > shownCharacters ? `${value.slice(0, shownCharacters)}…` : value;
  box.append(title!, origin!, text!);
  return box;
}

const root = authoredSchema as unknown as Schema;

interface KeyText {
  /** In canonical spelling. */
  readonly name: string;
  readonly schema: Schema;
}

/** Returns the schema of the field whose key is at a position. */
export function findKeyText(text: string, keyStart: number, key: string): KeyText | undefined {
  const { path } = readContext(text, keyStart);
  return walkSchema(root, path)
    .flatMap((schema) => getBranches(schema).map((branch) => findProperty(branch, key)))
    .find((found) => found !== undefined);
}

const lineKeyPattern = /^(\s*(?:- +)*)["']?([\w.-]+)["']?\s*:(?=\s|$)/;

/** Displays the description of the field under the pointer. */
export const schemaHover = hoverTooltip((view, at) => {
  const line = view.state.doc.lineAt(at);
  const match = lineKeyPattern.exec(line.text);
  if (!match) return null;
  const from = line.from + match[1]!.length;
  const to = from + match[2]!.length;
  if (at < from || at > to) return null;
  const found = findKeyText(view.state.doc.toString(), from, match[2]!);
  if (!found) return null;
  return { pos: from, end: to, above: true, create: () => ({ dom: drawField(found) }) };
});

function drawField({ name, schema }: KeyText): HTMLElement {
  const box = document.createElement('div');
  box.className = 'cm-fieldHelp';
  box.append(element('strong', name), element('p', schema.description ?? ''));
  const values = getEnumValues(schema).filter(({ description }) => description !== undefined);
  for (const { value, description = '' } of values) {
    const line = element('p', '');
    line.append(element('code', value), ` ${description}`);
    box.append(line);
  }
  const example = schema.examples?.[0];
  if (typeof example === 'string' || typeof example === 'number') {
    const line = element('p', 'Example: ');
    line.append(element('code', String(example)));
    box.append(line);
  }
  return box;
}

function element(tag: string, text: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}
