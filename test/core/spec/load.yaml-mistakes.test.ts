import { describe, expect, it } from 'vitest';
import { loadSpec } from '../../../core/spec/load.ts';

/** Diagnostics of a text, as `line:column message (field)`. */
function say(text: string): string[] {
  const { diagnostics, workflows } = loadSpec({ text });
  expect(workflows).toEqual([]);
  return diagnostics.map(
    ({ line, column, message, path }) => `${line}:${column} ${message}${path && ` (${path})`}`,
  );
}

const columns = (column: number, ...places: string[]): string =>
  `Inconsistent indentation: this line starts in column ${column}. Move it ${places.join(', or ')}.`;

describe('a line with inconsistent indentation', () => {
  it.each([
    [
      'a key between two columns',
      'steps:\n  - name: a\n    command: x\n   dir: sub',
      '4:4',
      columns(4, 'to column 5, like line 3', 'to column 1, like line 1'),
    ],
    [
      'a key of a map in a map',
      'steps:\n  - name: a\n    env:\n      A: 1\n     B: 2',
      '5:6',
      columns(6, 'to column 7, like line 4', 'to column 5, like line 3'),
    ],
    [
      'a key too far in',
      'steps:\n  - name: a\n      command: x',
      '3:7',
      columns(7, 'to column 5, like line 2'),
    ],
    [
      'a key of the root too far in',
      'name: a\n description: b\nsteps: [a]',
      '2:2',
      columns(2, 'to column 1, like line 1'),
    ],
    [
      'an item too far in',
      'steps:\n  - name: a\n    command: x\n   - name: b',
      '4:4',
      columns(4, 'to column 3, like line 2'),
    ],
    ['an item too far out', 'steps:\n  - name: a\n - name: b', '3:2', columns(2, 'to column 3, like line 2')],
    [
      'a key after a script',
      'steps:\n  - script: |\n      a: 1\n        - b\n   name: x',
      '5:4',
      columns(4, 'to column 5, like line 2', 'to column 1, like line 1'),
    ],
    [
      'a key in a further document',
      'steps: [a]\n---\nname: b\nenv:\n  A: 1\n   B: 2',
      '6:4',
      columns(4, 'to column 3, like line 5'),
    ],
  ])('%s', (_, text, at, message) => {
    expect(say(text)).toEqual([`${at} ${message}`]);
  });
});

describe('explains a common YAML error with the correction', () => {
  it.each([
    [
      'a missing dash',
      'steps:\n  - name: a\n    command: x\n  name: b',
      '4:3 Missing "- ". Line 2 in column 3 is a list item, but this line is not. Add "- ", or move it to column 5, like line 3.',
    ],
    [
      'a dash among keys',
      'name: a\n- steps: b',
      '2:1 This line starts with "- ", but line 1 at the same indentation has a key. Remove the "- ", or add the key of the list above.',
    ],
    [
      'a tab',
      'steps:\n  - name: a\n\tcommand: b',
      '3:1 Tabs are not allowed for indentation in YAML. Replace them with spaces.',
    ],
    [
      'a string with a colon',
      'steps:\n  - command: echo note: done',
      `2:14 This text contains ": ", which separates a key and a value in YAML. Put the whole text in quotes: 'echo note: done'.`,
    ],
    [
      'a step with a colon',
      'steps:\n  - echo hello: world',
      '2:5 Unknown field "echo hello". If this is text that contains ": ", put the whole text in quotes. (steps[0]["echo hello"])',
    ],
    [
      'a string with a colon and quotes',
      'description: it\'s: "a"\nsteps: [a]',
      `1:14 This text contains ": ", which separates a key and a value in YAML. Put the whole text in quotes: 'it''s: "a"'.`,
    ],
    [
      'a multi-line string with a colon',
      'steps:\n  - command: echo a\n      echo b: c',
      '2:14 This multi-line text contains ": ", which separates a key and a value in YAML. Write "|" here, and the indented text on the following lines.',
    ],
    [
      'a colon without a space',
      'steps:\n  - name: a\n    command:b',
      '3:5 Missing space after the ":" of "command". Use "command: b".',
    ],
    [
      'a missing colon',
      'name report\nsteps: [a]',
      '1:1 Missing ": " after the key. Write "key: value", as in line 2, such as "name: report".',
    ],
    [
      'a missing colon after a key alone',
      'name: a\nsteps\n  - echo a',
      '2:1 Missing ":" after "steps". Write "steps:".',
    ],
    [
      'a field below a step that is a string',
      'steps:\n  - echo a\n    name: b',
      '2:5 Missing ": " after the key. Write "key: value", as in line 3, such as "command: echo a".',
    ],
    [
      'a dash without a space',
      'steps:\n  -echo a\n  -echo b',
      '2:3 "steps" must be a list or a map, but is the string "-echo a -echo b". Write each item on its own line, after "- ". (steps)',
    ],
    [
      'an open quote',
      'steps:\n  - command: "echo one\n  - echo two',
      '2:14 Unclosed quote. Add a closing ".',
    ],
    [
      'a quote within quotes',
      'steps:\n  - command: "echo "hi""',
      `2:21 Unexpected text after the closing ": the value contains a ". Put the whole text in quotes: 'echo "hi"'.`,
    ],
    [
      'an apostrophe within quotes',
      "steps:\n  - command: 'don't'",
      `2:19 Unexpected text after the closing ': the value contains a '. Put the whole text in quotes: "don't".`,
    ],
    [
      'text after quotes',
      'steps:\n  - command: "a" && "b"',
      `2:18 Unexpected text after the value. Put the whole text in quotes: '"a" && "b"'.`,
    ],
    [
      'a command that starts with a bracket',
      'steps:\n  - [ -f x ] && echo y',
      `2:14 Unexpected text after the value. Put the whole text in quotes: '[ -f x ] && echo y'.`,
    ],
    [
      'an open bracket',
      'steps: [echo one, echo two\nname: a',
      '2:1 Missing "]" for the "[" before this position, or wrong indentation. Add the "]", or indent the lines after the "[".',
    ],
    ['an extra bracket', 'steps: [echo one]]', '1:18 Unmatched "]". Remove it, or put the text in quotes.'],
    [
      'a missing comma in a list',
      'steps: ["a" "b"]',
      '1:13 Missing comma before this position. Separate the entries of [ ] and { } with commas, and put text that contains these characters in quotes.',
    ],
    [
      'a missing comma in a map',
      'steps: [{name: a command: b}]',
      '1:16 Missing comma between two entries in { } or [ ], or text with ": " without quotes. Example: { name: a, command: "b" }.',
    ],
    ['a comma after a list', 'steps: [a],', '1:11 Unexpected comma after the value. Remove it.'],
    [
      'a variable within brackets',
      'env: {A: ${B}}\nsteps: [a]',
      '1:10 Text inside { } and [ ] cannot contain { } [ ] or "," without quotes. Put it in quotes, such as "${NAME}".',
    ],
    [
      'a template',
      'steps:\n  - command: {{ x }}',
      `2:14 "{{" starts a nested map in YAML. Put the whole text in quotes: '{{ x }}'.`,
    ],
    [
      'a backtick',
      'steps:\n  - command: `date`',
      '2:14 "`" cannot start a text in YAML. Put the whole text in quotes: \'`date`\'.',
    ],
    [
      'a cron expression',
      'schedule: */5 * * * *\nsteps: [a]',
      `1:15 "*" starts an alias in YAML. Put the whole text in quotes: '*/5 * * * *'.`,
    ],
    [
      'a cron expression of asterisks',
      'schedule: * * * * *\nsteps: [a]',
      `1:11 "*" starts an alias in YAML. Put the whole text in quotes: '* * * * *'.`,
    ],
    [
      'a backslash in quotes',
      'workingDir: "C:\\Users"\nsteps: [a]',
      '1:16 Unknown escape sequence in double quotes. Use "\\\\" for a backslash, or single quotes.',
    ],
    [
      'text next to its block indicator',
      'steps:\n  - script: | echo a\n      echo b',
      '2:15 Text after "|" must start on the next line, indented. Move it there, or remove the "|".',
    ],
    [
      'a script at the column of its key',
      'steps:\n  - script: |\n    echo a',
      '3:5 The text after "|" or ">" in line 2 must be indented, but this line starts in column 5. Indent it to column 7.',
    ],
    [
      'a tab within a script',
      'steps:\n  - script: |\n      a\n\tb',
      '4:1 This line of the block after "|" is indented less than the first. Indent all lines at least as far. Replace the tab with spaces.',
    ],
    [
      'a non-breaking space',
      'steps:\n\u00A0\u00A0- echo a',
      '2:1 The indentation contains the character U+00A0, which is not a regular space. Replace it with spaces.',
    ],
    [
      'an unfinished merge',
      '<<<<<<< HEAD\nname: a\n=======\nname: b\n>>>>>>> x\nsteps: [a]',
      '1:1 Merge conflict marker. Keep one of the two versions, and remove the lines with "<<<<<<<", "=======" and ">>>>>>>".',
    ],
    [
      'text copied from a web page',
      '```yaml\nsteps: [a]\n```',
      '1:1 The line "```" is a Markdown code fence. Remove it.',
    ],
  ])('%s', (_, text, message) => {
    expect(say(text)).toEqual([message]);
  });

  it('in text too long to repeat, without repeating it', () => {
    expect(say(`description: ${'x'.repeat(100)}: y\nsteps: [a]`)).toEqual([
      '1:14 This text contains ": ", which separates a key and a value in YAML. Put the whole text in quotes.',
    ]);
  });

  it('in one message for each document, in linear time', () => {
    const text = `steps: [a]\n${'---\nname: a\n b: c\n'.repeat(20_000)}`;
    expect(say(text)).toHaveLength(101);
  });
});

describe('an unknown key', () => {
  it.each([
    ['preconditions: [{conditon: x, expected: x}]', 'preconditions[0].conditon'],
    ['preconditions: {comand: x, negate: true}', 'preconditions.comand'],
    ['repeatPolicy: {repeat: until, conditon: x, expected: y}', 'repeatPolicy.conditon'],
    ['repeatPolicy: {repeat: while, exitCod: 1}', 'repeatPolicy.exitCod'],
    ['repeatPolicy: {conditon: x}', 'repeatPolicy.conditon'],
    ['retryPolicy: {limt: 3, intervalSec: 1}', 'retryPolicy.limt'],
    ['parallel: {itmes: [a]}', 'parallel.itmes'],
    ['type: {tpye: command}', 'type.tpye'],
  ])('causes the only message about %s', (field, path) => {
    const { diagnostics } = loadSpec({ text: `steps:\n- command: a\n  ${field}` });
    expect(diagnostics.map((diagnostic) => diagnostic.path)).toEqual([`steps[0].${path}`]);
  });
});

describe('valid YAML', () => {
  it.each([
    [
      'a duplicate key',
      'steps:\n- [a]\n- - env: {A: 1}\n    command: b\n    env: {}',
      '5:5',
      'steps[1][0].env',
    ],
    [
      'a duplicate key in a map of steps',
      'steps:\n  "a b": {command: x, command: y}',
      '2:23',
      'steps["a b"].command',
    ],
    ['an alias without an anchor', 'steps:\n- command: *greeting', '2:12', 'steps[0].command'],
    ['a merge of a value other than a map', 'steps:\n- <<: text', '2:3', 'steps[0]'],
  ])('names the field: %s', (_, text, at, path) => {
    const [diagnostic] = loadSpec({ text }).diagnostics;
    expect(`${diagnostic!.line}:${diagnostic!.column}`).toBe(at);
    expect(diagnostic!.path).toBe(path);
  });
});
