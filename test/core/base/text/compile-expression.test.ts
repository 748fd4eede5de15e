import { expect, test } from 'vitest';
import { compileExpression } from '../../../../core/base/text/compile-expression.ts';

test.each([
  [String.raw`^a\-done$`, 'a-done'],
  [String.raw`^\p{L}+$`, 'Größe'],
  ['(?i)error', 'an ERROR'],
  ['(?ims)^b.c$', 'a\nB\nc'],
  ['^.$', '😀'],
])('%s matches %j', (source, text) => {
  expect(compileExpression(source).test(text)).toBe(true);
});

test.each(['(', '[', '(?x)a', '(?i)('])('%s is no expression', (source) => {
  expect(() => compileExpression(source)).toThrow(SyntaxError);
});
