import type { BlockColumn, BlockLine, OpenBlocks } from './block-columns.ts';

/** Explains at which columns a line can start if its indentation is wrong; undefined if it is correct. */
export function explainIndentation(line: BlockLine, { columns, textStart }: OpenBlocks): string | undefined {
  if (textStart !== undefined) return explainBlockText(line, columns, textStart);
  const beside = columns.find(({ column }) => column === line.column);
  if (beside === undefined) return explainColumn(line, columns);
  if (beside.kind === 'item' && line.kind !== 'item') return explainMissingDash(line, beside, columns);
  if (beside.kind === 'key' && line.kind === 'item') {
    return `This line starts with "- ", but line ${beside.line} at the same indentation has a key. Remove the "- ", or add the key of the list above.`;
  }
  return undefined;
}

function explainColumn({ column, kind }: BlockLine, columns: readonly BlockColumn[]): string | undefined {
  const alike = columns.filter((open) => open.kind === (kind === 'item' ? 'item' : 'key'));
  const outer = alike.findLast((open) => open.column < column);
  const inner = alike.find((open) => open.column > column);
  const positions = [inner, outer]
    .filter((position) => position !== undefined)
    .map((position) => `to column ${position.column}, like line ${position.line}`);
  if (positions.length === 0) return undefined;
  return `Inconsistent indentation: this line starts in column ${column}. Move it ${positions.join(', or ')}.`;
}

function explainMissingDash(
  { column }: BlockLine,
  { line }: BlockColumn,
  columns: readonly BlockColumn[],
): string {
  const inner = columns.find((open) => open.column > column && open.kind === 'key');
  const other = inner ? `, or move it to column ${inner.column}, like line ${inner.line}` : '';
  return `Missing "- ". Line ${line} in column ${column} is a list item, but this line is not. Add "- "${other}.`;
}

function explainBlockText(
  { column }: BlockLine,
  columns: readonly BlockColumn[],
  textStart: BlockLine,
): string | undefined {
  const key = columns.at(-1);
  if (key === undefined || column > key.column) return undefined;
  return `The text after "|" or ">" in line ${textStart.line} must be indented, but this line starts in column ${column}. Indent it to column ${key.column + 2}.`;
}
