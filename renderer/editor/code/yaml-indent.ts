import { indentService } from '@codemirror/language';

const opensBlock = /:\s*(?:[&!]\S+(?:\s+|$))*$|[:-]\s+[|>][+-]?\d?[+-]?\s*$/;

/**
 * How far a new line is indented after this one: deeper after a key without a value and after the head of a block of
 * text, under the content of a list item, else like the line itself.
 */
export function indentAfter(line: string, unit: number): number {
  const [indent = ''] = /^ */.exec(line) ?? [];
  const rest = line
    .slice(indent.length)
    .replace(/\s+#.*$/, '')
    .trimEnd();
  const [marks = ''] = /^(?:- +)*/.exec(rest) ?? [];
  const column = indent.length + marks.length;
  if (rest === '-') return column + unit;
  // `- |` has its text under the dash.
  if (opensBlock.test(rest)) return (marks !== '' && !rest.includes(':') ? indent.length : column) + unit;
  // An item that is no map is followed by another item.
  return marks !== '' && !/[^\s"']:(?:\s|$)/.test(rest) ? indent.length : column;
}

/** Indentation by the line alone: it holds in a text that is half typed, where the tree tells little. */
export const yamlIndent = indentService.of((context, at) => {
  const { text, from } = context.lineAt(at, -1);
  return indentAfter(text.slice(0, at - from), context.unit);
});
