import { expect, it } from 'vitest';
import { splitWords } from '../../../core/spec/split-words.ts';

it.each([
  ['', []],
  ['   ', []],
  ['bash -e', ['bash', '-e']],
  ['  bash\t-e\n-u ', ['bash', '-e', '-u']],
  ['"C:\\\\Program Files\\\\sh.exe" -c', ['C:\\Program Files\\sh.exe', '-c']],
  ["nix-shell -p 'a b'", ['nix-shell', '-p', 'a b']],
  ['--opt="a b"', ['--opt=a b']],
  ['say \\"hi', ['say', '\\"hi']],
  ['"say \\"hi\\""', ['say "hi"']],
  ['""', ['']],
  ["it's open", ["it's", 'open']],
  ['"open', ['"open']],
])('%j is split into %j', (text, words) => {
  expect(splitWords(text)).toEqual(words);
});
