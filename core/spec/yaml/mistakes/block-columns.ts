/** A column at which a block list or map continues. */
export interface BlockColumn {
  /** 1-based. */
  readonly column: number;
  readonly kind: 'item' | 'key';
  /** 1-based line of the last entry that starts there. */
  readonly line: number;
}

/** A line of YAML, classified by its start. */
export interface BlockLine {
  /** Offset of its first character that is not a space. */
  readonly start: number;
  /** The line from `start`, without the line break. */
  readonly text: string;
  /** 1-based column of `start`. */
  readonly column: number;
  /** 1-based. */
  readonly line: number;
  /** An item starts with `- `; a key ends with `:`. */
  readonly kind: 'item' | 'key' | 'text';
}

const itemStart = /^-[ \t]+|^-$/;
const keyStart = /^(?:[^\s:#"'[\]{},&*!|>%@`-][^:#]*|[\w-][^\s:]*|"[^"]*"|'[^']*'):(?=\s|$)/;
const blockTextStart = /(?:^|[:-][ \t]+)(?:[&!]\S*[ \t]+)?[|>][-+0-9]{0,2}\s*(?:#.*)?$/;

function opensBlockText({ text }: BlockLine): boolean {
  return blockTextStart.test(text);
}

/** Returns the key at the start of a line, if there is one. */
export function readKey(text: string): string | undefined {
  return keyStart.exec(text)?.[0].slice(0, -1);
}

/** Returns the line that contains an offset. */
export function readLineAt(text: string, offset: number, line: number): BlockLine {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  return readLine(text, lineStart, line);
}

function readLine(text: string, lineStart: number, line: number): BlockLine {
  const lineEnd = text.indexOf('\n', lineStart);
  const whole = text.slice(lineStart, lineEnd < 0 ? undefined : lineEnd);
  const content = whole.trimEnd();
  const indent = content.length - content.replace(/^ +/, '').length;
  const rest = content.slice(indent);
  const kind = itemStart.test(rest) ? 'item' : keyStart.test(rest) ? 'key' : 'text';
  return { start: lineStart + indent, text: rest, column: indent + 1, line, kind };
}

/** Returns the next line that is neither empty nor a comment. */
export function readLineAfter(text: string, { start, line }: BlockLine): BlockLine | undefined {
  let number = line;
  for (let at = text.indexOf('\n', start); at >= 0; at = text.indexOf('\n', at + 1)) {
    number += 1;
    const next = readLine(text, at + 1, number);
    if (next.text !== '' && !next.text.startsWith('#')) return next;
  }
  return undefined;
}

/** The open blocks at the start of a line. */
export interface OpenBlocks {
  /** Columns of the lists and maps, outermost first. */
  readonly columns: readonly BlockColumn[];
  /** The previous line if it ends with `|` or `>`, so that a block scalar should follow. */
  readonly textStart: BlockLine | undefined;
}

/**
 * Reads the lines before a line by their starts; the content of block scalars is ignored.
 * @param from offset and line of the start of the document
 */
export function readOpenBlocks(
  text: string,
  from: { offset: number; line: number },
  before: BlockLine,
): OpenBlocks {
  let columns: BlockColumn[] = [];
  let textStart: BlockLine | undefined;
  let textColumn = 0;
  let current: BlockLine | undefined = readLineAt(text, from.offset, from.line);
  while (current !== undefined && current.line < before.line) {
    const own = listColumns(current);
    if (textColumn > 0 && current.column > textColumn) {
      textStart = undefined;
    } else if (current.text !== '' && !current.text.startsWith('#')) {
      const [first] = own;
      if (first) columns = [...columns.filter(({ column }) => column < first.column), ...own];
      textStart = opensBlockText(current) ? current : undefined;
      textColumn = textStart === undefined ? 0 : (own.at(-1)?.column ?? current.column);
    }
    current = readLineAfter(text, current);
  }
  return { columns, textStart };
}

/** Lists the blocks that a line opens: `- - name: a` opens two lists and a map. */
function listColumns({ text, column, line }: BlockLine): BlockColumn[] {
  const columns: BlockColumn[] = [];
  let rest = text;
  let at = column;
  for (let dash = itemStart.exec(rest); dash !== null; dash = itemStart.exec(rest)) {
    columns.push({ column: at, kind: 'item', line });
    at += dash[0].length;
    rest = rest.slice(dash[0].length);
  }
  if (keyStart.test(rest)) columns.push({ column: at, kind: 'key', line });
  return columns;
}
