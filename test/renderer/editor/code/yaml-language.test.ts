import { globSync, readFileSync } from 'node:fs';
import { yamlLanguage } from '@codemirror/lang-yaml';
import { foldable, syntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { Parser, TreeFragment, type Tree } from '@lezer/common';
import { expect, test } from 'vitest';
import { ChunkedParser, chunkedYaml } from '../../../../renderer/editor/code/yaml-language.ts';
import { writeWorkflow } from '../../../bench/editor-bench/write-workflow.ts';

const whole = yamlLanguage.parser;
const parts = new ChunkedParser(whole, whole.topNode);

/** Highlighted tokens: the leaves. Comments between documents are dropped by the full parser. */
function listWords(tree: Tree): string[] {
  const words: string[] = [];
  tree.iterate({
    enter({ node, name, from, to }) {
      if (node.firstChild === null && to > from && !['Stream', 'Document', 'Comment'].includes(name))
        words.push(`${name} ${from}-${to}`);
    },
  });
  return words;
}

const texts = [...globSync('test/fixtures/edit/*.yaml').slice(0, 60), ...globSync('resources/samples/*.yaml')]
  .map((file) => readFileSync(file, 'utf8'))
  .concat(writeWorkflow(40));

test('parsing a file in parts gives the same tokens as parsing it as a whole', () => {
  for (const text of texts) expect(listWords(parts.parse(text))).toEqual(listWords(whole.parse(text)));
});

test('after any edit the parts are those of the new text', () => {
  let seed = 7;
  const pick = (count: number): number => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed % count;
  };
  const pieces = ['a', '\n', '  - name: x\n', 'steps:\n', ': ', '"', '#', '|\n', '  ', ''];
  for (const original of texts) {
    let text = original;
    let fragments = TreeFragment.addTree(parts.parse(text));
    for (let edit = 0; edit < 8; edit += 1) {
      const from = pick(text.length);
      const to = Math.min(text.length, from + (pick(3) === 0 ? pick(300) : 0));
      const piece = pieces[pick(pieces.length)]!;
      text = text.slice(0, from) + piece + text.slice(to);
      const change = { fromA: from, toA: to, fromB: from, toB: from + piece.length };
      const near = TreeFragment.applyChanges(fragments, [change]);
      const tree = parts.parse(text, near);
      fragments = TreeFragment.addTree(tree, near);
      expect(listWords(tree)).toEqual(listWords(parts.parse(text)));
    }
  }
});

test('typing in one of many steps parses only that step, and moved steps are reused', () => {
  let read = 0;
  const counting = new (class extends Parser {
    createParse(...[input, ...rest]: Parameters<Parser['createParse']>) {
      read += input.length;
      return whole.createParse(input, ...rest);
    }
  })();
  const parser = new ChunkedParser(counting, whole.topNode);
  const text = writeWorkflow(1000);
  const tree = parser.parse(text);
  expect(read).toBe(text.length);
  read = 0;
  const at = text.indexOf('"hello 3') + 8;
  const near = TreeFragment.applyChanges(TreeFragment.addTree(tree), [
    { fromA: at, toA: at, fromB: at, toB: at + 1 },
  ]);
  parser.parse(`${text.slice(0, at)}x${text.slice(at)}`, near);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(4096);
});

test('the last line of a file folds nothing', () => {
  const state = EditorState.create({ doc: 'a: 1\nsteps:', extensions: chunkedYaml() });
  const { from, to } = state.doc.line(2);
  expect(foldable(state, from, to)).toBeNull();
});

test('a field folds to its end, even across many parts', () => {
  const doc = `${writeWorkflow(60)}\n# about what follows\nenv:\n  A: 1\n`;
  const state = EditorState.create({ doc, extensions: chunkedYaml() });
  expect(syntaxTree(state).length).toBeGreaterThan(0);
  const from = doc.indexOf('steps:');
  const end = doc.indexOf('\n\n# about');
  expect(foldable(state, from, from + 6)).toEqual({ from: from + 6, to: end });
  const step = doc.indexOf('  - name: step-0');
  const line = state.doc.lineAt(step);
  expect(foldable(state, line.from, line.to)).toMatchObject({ from: line.to });
});
