import { describe, expect, it } from 'vitest';
import { loadSpec } from '../../../core/spec/load.ts';

/** What is said about a text, as `line:column message (field)`. */
function say(text: string): string[] {
  const { diagnostics, workflows } = loadSpec({ text });
  expect(workflows).toEqual([]);
  return diagnostics.map(
    ({ line, column, message, path }) => `${line}:${column} ${message}${path && ` (${path})`}`,
  );
}

const columns = (column: number, ...places: string[]): string =>
  `This line is indented differently from its neighbours: it begins in column ${column}, where none above it does. Move it ${places.join(', or ')}.`;

describe('a line that is indented differently', () => {
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

describe('a common mistake of YAML is explained with what to write', () => {
  it.each([
    [
      'a missing dash',
      'steps:\n  - name: a\n    command: x\n  name: b',
      '4:3 The items in column 3 begin with "- ", as in line 2, but this line does not. Write "- " before it, or move it to column 5, like line 3.',
    ],
    [
      'a dash among keys',
      'name: a\n- steps: b',
      '2:1 This line begins with "- ", but the lines in its column have keys, as line 1 has. Remove the "- ", or write the key that the list belongs to above it.',
    ],
    [
      'a tab',
      'steps:\n  - name: a\n\tcommand: b',
      '3:1 A tab may not be used for indentation in YAML. Replace it by spaces.',
    ],
    [
      'a text with a colon',
      'steps:\n  - command: echo note: done',
      `2:14 This text holds ": ", which YAML reads as a key and its value. Put the whole text in quotes: 'echo note: done'.`,
    ],
    [
      'a step with a colon',
      'steps:\n  - echo hello: world',
      '2:5 The text "echo hello" is read as a key, because ": " follows it, and it is not known as one. Put the whole text in quotes. (steps[0]["echo hello"])',
    ],
    [
      'a text with a colon and quotes',
      'description: it\'s: "a"\nsteps: [a]',
      `1:14 This text holds ": ", which YAML reads as a key and its value. Put the whole text in quotes: 'it''s: "a"'.`,
    ],
    [
      'a text of several lines with a colon',
      'steps:\n  - command: echo a\n      echo b: c',
      '2:14 The text that begins here goes on in the next lines and holds ": ", which YAML reads as a key and its value. Write "|" here, and the text below it, each line further in than the key.',
    ],
    [
      'a colon without a space',
      'steps:\n  - name: a\n    command:b',
      '3:5 The ":" after "command" needs a space behind it. Write "command: b".',
    ],
    [
      'a missing colon',
      'name report\nsteps: [a]',
      '1:1 This line has no ": " after a key, but line 2 beside it has. Write both as "key: value", such as "name: report".',
    ],
    [
      'a missing colon after a key alone',
      'name: a\nsteps\n  - echo a',
      '2:1 A ":" is missing after "steps". Write "steps:".',
    ],
    [
      'a field below a step that is a text',
      'steps:\n  - echo a\n    name: b',
      '2:5 This line has no ": " after a key, but line 3 beside it has. Write both as "key: value", such as "command: echo a".',
    ],
    [
      'a dash without a space',
      'steps:\n  -echo a\n  -echo b',
      '2:3 "steps" must be a list or a map, but it is the text "-echo a -echo b". Write each item on a line of its own, after "- ". (steps)',
    ],
    [
      'an open quote',
      'steps:\n  - command: "echo one\n  - echo two',
      '2:14 Unclosed quote. Add a closing ".',
    ],
    [
      'a quote within quotes',
      'steps:\n  - command: "echo "hi""',
      `2:21 The value has ended here already: a " within " ends it. Put the whole text in quotes: 'echo "hi"'.`,
    ],
    [
      'an apostrophe within quotes',
      "steps:\n  - command: 'don't'",
      `2:19 The value has ended here already: a ' within ' ends it. Put the whole text in quotes: "don't".`,
    ],
    [
      'a text after quotes',
      'steps:\n  - command: "a" && "b"',
      `2:18 The value has ended here already, but text follows it. Put the whole text in quotes: '"a" && "b"'.`,
    ],
    [
      'a command that begins with a bracket',
      'steps:\n  - [ -f x ] && echo y',
      `2:14 The value has ended here already, but text follows it. Put the whole text in quotes: '[ -f x ] && echo y'.`,
    ],
    [
      'an open bracket',
      'steps: [echo one, echo two\nname: a',
      '2:1 A "[" before this place is not closed with "]", or its value is not further in than its key. Add the "]", or indent the lines after the "[".',
    ],
    [
      'a bracket too much',
      'steps: [echo one]]',
      '1:18 This "]" closes nothing. Remove it, or put the text it belongs to in quotes.',
    ],
    [
      'a missing comma in a list',
      'steps: ["a" "b"]',
      '1:13 A comma is missing before this place. Separate the entries of [ ] and { } by commas, and put a text that holds one of these characters in quotes.',
    ],
    [
      'a missing comma in a map',
      'steps: [{name: a command: b}]',
      '1:16 Within { } and [ ] a comma stands between two entries, and here one is missing, or a text holds ": " without quotes. Write { name: a, command: "b" }.',
    ],
    [
      'a comma after a list',
      'steps: [a],',
      '1:11 The value has ended here already, but a comma follows it. Remove the comma.',
    ],
    [
      'a variable within brackets',
      'env: {A: ${B}}\nsteps: [a]',
      '1:10 Within { } and [ ] a text may hold none of the characters { } [ ] and ",", unless it is in quotes. Put it in quotes, such as "${NAME}".',
    ],
    [
      'a template',
      'steps:\n  - command: {{ x }}',
      `2:14 "{{" begins a map within a map in YAML. Put the whole text in quotes: '{{ x }}'.`,
    ],
    [
      'a backtick',
      'steps:\n  - command: `date`',
      '2:14 "`" may not begin a text in YAML. Put the whole text in quotes: \'`date`\'.',
    ],
    [
      'a cron text',
      'schedule: */5 * * * *\nsteps: [a]',
      `1:15 "*" begins an alias in YAML. Put the whole text in quotes: '*/5 * * * *'.`,
    ],
    [
      'a cron text of stars',
      'schedule: * * * * *\nsteps: [a]',
      `1:11 "*" begins an alias in YAML. Put the whole text in quotes: '* * * * *'.`,
    ],
    [
      'a backslash in quotes',
      'workingDir: "C:\\Users"\nsteps: [a]',
      '1:16 This escape does not exist in double quotes. Write "\\\\" for a backslash, or use single quotes.',
    ],
    [
      'a text beside its mark',
      'steps:\n  - script: | echo a\n      echo b',
      '2:15 After "|" the text begins on the next line, further in than its key. Move it there, or remove the "|".',
    ],
    [
      'a script as far out as its key',
      'steps:\n  - script: |\n    echo a',
      '3:5 The text that line 2 begins with "|" or ">" must be further in than its key, but this line begins in column 5. Indent it to column 7.',
    ],
    [
      'a tab within a script',
      'steps:\n  - script: |\n      a\n\tb',
      '4:1 This line of the text after "|" begins further out than the first one. Indent all of its lines at least as far. Replace the tab by spaces.',
    ],
    [
      'a space that is none',
      'steps:\n\u00A0\u00A0- echo a',
      '2:1 The line is indented by the character U+00A0, which looks like a space and is none. Replace it by spaces.',
    ],
    [
      'an unfinished merge',
      '<<<<<<< HEAD\nname: a\n=======\nname: b\n>>>>>>> x\nsteps: [a]',
      '1:1 This is a mark of an unfinished merge. Keep one of the two versions, and remove the lines with "<<<<<<<", "=======" and ">>>>>>>".',
    ],
    [
      'a block of a page',
      '```yaml\nsteps: [a]\n```',
      '1:1 The line "```" belongs to the page this was copied from. Remove it.',
    ],
  ])('%s', (_, text, message) => {
    expect(say(text)).toEqual([message]);
  });

  it('in a text too long to repeat, without repeating it', () => {
    expect(say(`description: ${'x'.repeat(100)}: y\nsteps: [a]`)).toEqual([
      '1:14 This text holds ": ", which YAML reads as a key and its value. Put the whole text in quotes.',
    ]);
  });

  it('in one message for each document, in linear time', () => {
    const text = `steps: [a]\n${'---\nname: a\n b: c\n'.repeat(20_000)}`;
    expect(say(text)).toHaveLength(101);
  });
});

describe('a key that is not known', () => {
  it.each([
    ['preconditions: [{conditon: x, expected: x}]', 'preconditions[0].conditon'],
    ['preconditions: {comand: x, negate: true}', 'preconditions.comand'],
    ['repeatPolicy: {repeat: until, conditon: x, expected: y}', 'repeatPolicy.conditon'],
    ['repeatPolicy: {repeat: while, exitCod: 1}', 'repeatPolicy.exitCod'],
    ['repeatPolicy: {conditon: x}', 'repeatPolicy.conditon'],
    ['retryPolicy: {limt: 3, intervalSec: 1}', 'retryPolicy.limt'],
    ['parallel: {itmes: [a]}', 'parallel.itmes'],
    ['type: {tpye: command}', 'type.tpye'],
  ])('is the only message about %s', (field, path) => {
    const { diagnostics } = loadSpec({ text: `steps:\n- command: a\n  ${field}` });
    expect(diagnostics.map((diagnostic) => diagnostic.path)).toEqual([`steps[0].${path}`]);
  });
});

describe('what YAML can read', () => {
  it.each([
    ['a key twice', 'steps:\n- [a]\n- - env: {A: 1}\n    command: b\n    env: {}', '5:5', 'steps[1][0].env'],
    [
      'a key twice in a map of steps',
      'steps:\n  "a b": {command: x, command: y}',
      '2:23',
      'steps["a b"].command',
    ],
    ['an alias without an anchor', 'steps:\n- command: *greeting', '2:12', 'steps[0].command'],
    ['a merge of no map', 'steps:\n- <<: text', '2:3', 'steps[0]'],
  ])('names the field: %s', (_, text, at, path) => {
    const [diagnostic] = loadSpec({ text }).diagnostics;
    expect(`${diagnostic!.line}:${diagnostic!.column}`).toBe(at);
    expect(diagnostic!.path).toBe(path);
  });
});
