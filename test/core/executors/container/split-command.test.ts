import { expect, it } from 'vitest';
import { splitCommand } from '../../../../core/executors/container/plan-command.ts';
import { splitWords } from '../../../../core/spec/split-words.ts';

/** Arguments as the page shows them: in single quotes if unchanged. */
const show = (text: string): string[] =>
  splitCommand(text).map((parts) =>
    parts.map(({ text: part, isLiteral }) => (isLiteral ? `'${part}'` : part)).join('|'),
  );

it.each([
  [`sh -c 'echo "$MODE"'`, ['sh', '-c', `'echo "$MODE"'`]],
  [`echo --name='$A'"$B c"`, ['echo', `--name=|'$A'|$B c`]],
  ['echo `uname -n`', ['echo', '`uname -n`']],
  ['echo "in `uname -n` now"', ['echo', 'in `uname -n` now']],
  ['echo `echo "a b"` c', ['echo', '`echo "a b"`', 'c']],
  ['echo ${NONE:-a day} b', ['echo', '${NONE:-a day}', 'b']],
  ['echo ${NONE:-${OTHER:-a day}} b', ['echo', '${NONE:-${OTHER:-a day}}', 'b']],
  ['echo ` ${ {a b}', ['echo', '`', '${', '{a', 'b}']],
  ["echo ''", ['echo', "''"]],
])('%s has the arguments %j', (text, words) => {
  expect(show(text)).toEqual(words);
});

it.each([
  '',
  '  ',
  ' bash\t-e\n-u ',
  '"C:\\\\Program Files\\\\sh" -c',
  'say \\"hi',
  '"say \\"hi\\""',
  '""',
  '"open',
])('splits %j like other text', (text) => {
  const words = splitCommand(text).map((parts) => parts.map((part) => part.text).join(''));
  expect(words).toEqual(splitWords(text));
});

it.each(["it's open", '`', '${', "'", '"', '\\'])('handles %j repeated a hundred thousand times', (text) => {
  expect(splitCommand(text.repeat(100_000)).length).toBeGreaterThan(0);
});
