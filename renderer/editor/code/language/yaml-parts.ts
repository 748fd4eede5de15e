import { yamlLanguage } from '@codemirror/lang-yaml';
import { foldService, Language, LanguageSupport } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { ChunkedParser } from './parts-parser.ts';

const { parser } = yamlLanguage;

const chunkedLanguage = new Language(
  yamlLanguage.data,
  new ChunkedParser(parser, parser.topNode),
  [],
  'yaml',
);

const field = /^[\w"'].*:\s*(?:[&!]\S*(?:\s+|$))*(?:#.*)?$/;
const within = /^(?:[ #]|-(?:\s|$)|\s*$)/;

/** A comment in the first column may belong to what follows. */
const isContent = /^[^#].*\S|^-/;

/** Returns the range of a top-level field, which may span several parts, up to its last non-blank line. */
function foldField({ doc }: EditorState, from: number, to: number): { from: number; to: number } | null {
  const head = doc.lineAt(from);
  if (!field.test(head.text)) return null;
  let end = head.to;
  let at = head.to + 1;
  for (const line of doc.iterLines(head.number + 1)) {
    if (!within.test(line)) break;
    at += line.length + 1;
    if (isContent.test(line)) end = at - 1;
  }
  return end > to ? { from: to, to: end } : null;
}

/** YAML language support of the code pane: like CodeMirror's, but fast in files of any length. */
export const chunkedYaml = (): LanguageSupport =>
  new LanguageSupport(chunkedLanguage, foldService.of(foldField));
