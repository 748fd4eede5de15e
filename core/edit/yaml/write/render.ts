import { RawYaml, type Content, type ContentMap } from '../values/raw-yaml.ts';
import { blockText } from './block-text.ts';
import { rawLines, rawValue } from './raw-lines.ts';
import type { Layout } from './layout.ts';
import { scalarText, type Quotes } from './scalar-text.ts';

/** The position of the parent of a value in block style. */
export interface BlockAnchor {
  /** Column of the key or the `-`. */
  readonly column: number;
  readonly isItem: boolean;
  /** Column of a value on the line of its `-`. */
  readonly gap?: number;
}

/** A value in block style: the part on the line of its key or `-`, if any, and the lines below. */
export interface Rendered {
  readonly head: string;
  readonly rest: readonly string[];
  /** Comment lines above the key or `-`, without indentation. */
  readonly above?: readonly string[];
}

export interface RenderOptions {
  readonly layout: Layout;
  /** False if `|` would include the text that follows. */
  readonly mayBeBlockText: boolean;
  readonly quotes?: Quotes;
  /** Quotes of new keys and strings inside brackets, if the neighbors have them. */
  readonly keyQuotes?: Quotes;
}

/** Formats a value in block style. */
export function renderBlock(value: Content, hook: BlockAnchor, options: RenderOptions): Rendered {
  const { layout } = options;
  if (value instanceof RawYaml) return rawLines(value, hook, options, renderBlock);
  if (value === null || typeof value !== 'object') return renderScalar(value, hook, options);
  const inner = { layout, mayBeBlockText: options.mayBeBlockText };
  if (Array.isArray(value)) {
    if (value.length === 0) return { head: '[]', rest: [] };
    const column = hook.isItem ? contentColumn(hook) : hook.column + layout.listStep;
    return normalizeChanges(
      value.flatMap((item) => itemLines(item, column, inner)),
      hook,
      column,
    );
  }
  const entries = Object.entries(value as ContentMap);
  if (entries.length === 0) return { head: '{}', rest: [] };
  const column = hook.isItem ? contentColumn(hook) : hook.column + layout.step;
  return normalizeChanges(
    entries.flatMap(([key, each]) => renderPairLines(key, each, column, inner)),
    hook,
    column,
  );
}

/** Returns the lines of an item, starting with its `-`. */
export function itemLines(value: Content, column: number, options: RenderOptions): string[] {
  const { gap } = options.layout;
  const { head, rest, above = [] } = renderBlock(value, { column, isItem: true, gap }, options);
  const pad = ' '.repeat(column);
  return [...above.map((line) => pad + line), `${pad}-${' '.repeat(gap)}${head}`, ...rest];
}

/** Returns the lines of a key with its value. */
export function renderPairLines(
  key: string,
  value: Content,
  column: number,
  options: RenderOptions,
): string[] {
  const { keyQuotes, ...inner } = options;
  const { head, rest, above = [] } = renderBlock(value, { column, isItem: false }, inner);
  const pad = ' '.repeat(column);
  const name = keyText(key, false, keyQuotes);
  return [...above.map((line) => pad + line), `${pad}${name}:${head === '' ? '' : ` ${head}`}`, ...rest];
}

/** Formats a key; quotes `<<`, so that it is not a merge key. */
export function keyText(key: string, inFlow: boolean, quotes?: Quotes): string {
  return scalarText(key, { inFlow, ...(quotes && { quotes }) });
}

/** Formats a value in flow style, on one line. */
export function renderFlow(value: Content, layout: Layout, quotes?: Quotes): string {
  if (value instanceof RawYaml) return renderFlow(rawValue(value), layout, quotes);
  if (value === null || typeof value !== 'object') {
    return scalarText(value, { inFlow: true, ...(quotes && { quotes }) });
  }
  if (Array.isArray(value)) {
    return enclose(
      '[',
      value.map((item) => renderFlow(item, layout, quotes)),
      layout.listPadding,
    );
  }
  const pairs = Object.entries(value as ContentMap).map(([key, each]) =>
    formatFlowPair(key, each, layout, quotes),
  );
  return enclose('{', pairs, layout.mapPadding);
}

/** Formats a key with its value in flow style. */
export function formatFlowPair(key: string, value: Content, layout: Layout, quotes?: Quotes): string {
  return `${keyText(key, true, quotes)}: ${renderFlow(value, layout, quotes)}`;
}

function enclose(open: '[' | '{', items: readonly string[], padding: string): string {
  const close = open === '[' ? ']' : '}';
  return items.length === 0 ? open + close : open + padding + items.join(', ') + padding + close;
}

function renderScalar(
  value: null | boolean | number | string,
  hook: BlockAnchor,
  { layout, mayBeBlockText, quotes }: RenderOptions,
): Rendered {
  if (typeof value === 'string' && value.includes('\n') && mayBeBlockText && quotes !== 'double') {
    const column = hook.column + Math.max(layout.step, 1);
    const text = blockText(value, { parent: hook.column, column });
    if (text !== undefined) return { head: text.header, rest: text.lines };
  }
  return { head: scalarText(value, { inFlow: false, ...(quotes && { quotes }) }), rest: [] };
}

function contentColumn({ column, gap = 1 }: BlockAnchor): number {
  return column + 1 + gap;
}

/** Puts the first line after `-` on the same line. */
function normalizeChanges(lines: readonly string[], { isItem }: BlockAnchor, column: number): Rendered {
  if (!isItem) return { head: '', rest: lines };
  const [first, ...rest] = lines;
  return { head: first!.slice(column), rest };
}
