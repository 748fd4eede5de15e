import { indentService } from '@codemirror/language';

const startsBlock = /:\s*(?:[&!]\S+(?:\s+|$))*$|[:-]\s+[|>][+-]?\d?[+-]?\s*$/;

/**
 * Returns the indentation of the next line: deeper after a key without a value and after the header of a block
 * scalar, below the content of a list item, otherwise the same.
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
  // The content of `- |` is indented below the dash.
  if (startsBlock.test(rest)) return (marks !== '' && !rest.includes(':') ? indent.length : column) + unit;
  // A scalar item is followed by another item.
  return marks !== '' && !/[^\s"']:(?:\s|$)/.test(rest) ? indent.length : column;
}

/** Indents by the current line alone, which works in incomplete text, where the syntax tree is unreliable. */
export const yamlIndent = indentService.of((context, at) => {
  const { text, from } = context.lineAt(at, -1);
  return indentAfter(text.slice(0, at - from), context.unit);
});
