import type { BlockColumn, BlockLine, OpenBlocks } from './block-columns.ts';

/** Says where a line could begin that does not fit what is open before it; undefined when it fits. */
export function explainIndentation(line: BlockLine, { columns, textStart }: OpenBlocks): string | undefined {
  if (textStart !== undefined) return explainBlockText(line, columns, textStart);
  const beside = columns.find(({ column }) => column === line.column);
  if (beside === undefined) return explainColumn(line, columns);
  if (beside.kind === 'item' && line.kind !== 'item') return explainMissingDash(line, beside, columns);
  if (beside.kind === 'key' && line.kind === 'item') {
    return `This line begins with "- ", but the lines in its column have keys, as line ${beside.line} has. Remove the "- ", or write the key that the list belongs to above it.`;
  }
  return undefined;
}

function explainColumn({ column, kind }: BlockLine, columns: readonly BlockColumn[]): string | undefined {
  const alike = columns.filter((open) => open.kind === (kind === 'item' ? 'item' : 'key'));
  const outer = alike.findLast((open) => open.column < column);
  const inner = alike.find((open) => open.column > column);
  const places = [inner, outer]
    .filter((place) => place !== undefined)
    .map((place) => `to column ${place.column}, like line ${place.line}`);
  if (places.length === 0) return undefined;
  return `This line is indented differently from its neighbours: it begins in column ${column}, where none above it does. Move it ${places.join(', or ')}.`;
}

function explainMissingDash(
  { column }: BlockLine,
  { line }: BlockColumn,
  columns: readonly BlockColumn[],
): string {
  const inner = columns.find((open) => open.column > column && open.kind === 'key');
  const other = inner ? `, or move it to column ${inner.column}, like line ${inner.line}` : '';
  return `The items in column ${column} begin with "- ", as in line ${line}, but this line does not. Write "- " before it${other}.`;
}

function explainBlockText(
  { column }: BlockLine,
  columns: readonly BlockColumn[],
  textStart: BlockLine,
): string | undefined {
  const key = columns.at(-1);
  if (key === undefined || column > key.column) return undefined;
  return `The text that line ${textStart.line} begins with "|" or ">" must be further in than its key, but this line begins in column ${column}. Indent it to column ${key.column + 2}.`;
}
