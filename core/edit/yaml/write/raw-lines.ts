import { isMap, isScalar, isSeq, type Node } from 'yaml';
import type { JsonValue } from '../../../base/json.ts';
import { stripBom } from '../../../base/text/strip-bom.ts';
import { readEditable, type EditableText } from '../editable-text.ts';
import { headerOf, isBlockCollection, isBlockScalar, lastScalar, rootOf } from '../entries/entries.ts';
import { lineStart } from '../lines.ts';
import { plainValue } from '../values/plain-value.ts';
import type { Content, RawYaml } from '../values/raw-yaml.ts';
import type { BlockAnchor, Rendered, RenderOptions } from './render.ts';

const cached = new WeakMap<RawYaml, EditableText>();

/** Parses YAML source; the result is cached. */
export function readRaw(raw: RawYaml): EditableText {
  let editable = cached.get(raw);
  if (editable === undefined) {
    editable = readEditable(stripBom(raw.yaml).replaceAll('\r\n', '\n'));
    cached.set(raw, editable);
  }
  return editable;
}

/** Returns the value of YAML source. */
export function rawValue(raw: RawYaml): JsonValue {
  const [document] = readRaw(raw).documents;
  return document === undefined ? null : plainValue(document, document.contents);
}

/** Formats YAML source in block style with the indentation of its destination. */
export function rawLines(
  raw: RawYaml,
  hook: BlockAnchor,
  options: RenderOptions,
  renderValue: (value: Content, hook: BlockAnchor, options: RenderOptions) => Rendered,
): Rendered {
  const { text, documents } = readRaw(raw);
  const node = documents[0] === undefined ? null : rootOf(documents[0]);
  if (node === null || !canKeepSource(node, text, options.mayBeBlockText))
    return renderValue(rawValue(raw), hook, options);
  const start = lineStart(text, node.range![0]);
  const above = text
    .slice(0, start)
    .split('\n')
    .map((line) => line.trim());
  const comments = above.filter((line) => line.startsWith('#'));
  const body = dedent(text.slice(start).trimEnd().split('\n'));
  if (!isBlockCollection(node)) return { head: body[0]!, rest: [], above: comments };
  const column = hook.isItem ? hook.column + 1 + (hook.gap ?? 1) : innerColumn(node, hook, options);
  const lines = body.map((line) => (line === '' ? '' : ' '.repeat(column) + line));
  if (!hook.isItem) return { head: '', rest: lines, above: comments };
  return { head: body[0]!, rest: lines.slice(1), above: comments };
}

/** Whether the source can be used as it is, with different indentation. */
export function canKeepSource(node: Node | null, text: string, mayBeBlockText: boolean): boolean {
  if (isBlockCollection(node)) {
    const last = lastScalar(node);
    const swallows = isBlockScalar(last) && (!mayBeBlockText || /^[|>]\S*\+/.test(headerOf(last)));
    return !/^---|^%/m.test(text) && !swallows;
  }
  if (isScalar(node) || isMap(node) || isSeq(node)) {
    return !isBlockScalar(node) && node.anchor === undefined && !text.trim().includes('\n');
  }
  return !text.trim().includes('\n');
}

function dedent(lines: readonly string[]): string[] {
  const depth = /^ */.exec(lines[0]!)![0].length;
  return lines.map((line) => line.slice(Math.min(depth, /^ */.exec(line)![0].length)));
}

function innerColumn(node: Node, { column }: BlockAnchor, { layout }: RenderOptions): number {
  return column + (isSeq(node) ? layout.listStep : layout.step);
}
