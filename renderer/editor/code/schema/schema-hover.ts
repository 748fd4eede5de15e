import { hoverTooltip } from '@codemirror/view';
import { authoredSchema } from '../../../../core/spec/authored.ts';
import { readContext } from './cursor-context.ts';
import { branchesOf, findProperty, enumValuesOf, walkSchema, type Schema } from './walk-schema.ts';

const root = authoredSchema as unknown as Schema;

interface KeyText {
  /** In canonical spelling. */
  readonly name: string;
  readonly schema: Schema;
}

/** Returns the schema of the field whose key is at a position. */
export function describeKey(text: string, keyStart: number, key: string): KeyText | undefined {
  const { path } = readContext(text, keyStart);
  return walkSchema(root, path)
    .flatMap((schema) => branchesOf(schema).map((branch) => findProperty(branch, key)))
    .find((found) => found !== undefined);
}

const keyOfLine = /^(\s*(?:- +)*)["']?([\w.-]+)["']?\s*:(?=\s|$)/;

/** Shows the description of the field under the pointer. */
export const schemaHover = hoverTooltip((view, at) => {
  const line = view.state.doc.lineAt(at);
  const match = keyOfLine.exec(line.text);
  if (!match) return null;
  const from = line.from + match[1]!.length;
  const to = from + match[2]!.length;
  if (at < from || at > to) return null;
  const found = describeKey(view.state.doc.toString(), from, match[2]!);
  if (!found) return null;
  return { pos: from, end: to, above: true, create: () => ({ dom: drawField(found) }) };
});

function drawField({ name, schema }: KeyText): HTMLElement {
  const box = document.createElement('div');
  box.className = 'cm-fieldHelp';
  box.append(element('strong', name), element('p', schema.description ?? ''));
  const values = enumValuesOf(schema).filter(({ description }) => description !== undefined);
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
