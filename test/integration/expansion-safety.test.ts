import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { statusesOf, stdoutOf, TestEngine, type RunView } from '../harness/engine.ts';

const values: readonly (readonly [name: string, value: string])[] = [
  ['a substitution', '$(touch x)'],
  ['backticks', '`touch x`'],
  ['single quotes', "'; touch x; '"],
  ['double quotes', '"; touch x; "'],
  ['all quotes', `'"\`$(touch x)\`"'`],
  ['a newline', 'a\ntouch x\nb'],
  ['an option', '-n'],
  ['a format string', '%s%d%n'],
  ['backslashes', '\\n\\t\\\\ \\'],
  ['references', '$P ${P} ${J.key} ${A:-$(touch x)} $1 $ITEM'],
  ['a self-reference', '${ENGINE_VALUE_1}'],
  ['a redirection', '> x'],
  ['operators', '; touch x & touch x | touch x && touch x'],
  ['a comment', '# touch x'],
  ['a here-document', '<<E\ntouch x\nE'],
  ['a pattern', '*'],
  ['braces', '}; touch x; {'],
  ['YAML', '{{ x }}: - &a !!b |'],
  ['non-Latin letters', 'Zürich 東京 🚲 \u202e'],
  ['a long text', 'lorem $(touch x) '.repeat(6000)],
];

const printAll = `printf '[%s]' "$P" "\${P}" "$E" "$O" "$1" "$OWN" "\${J.key}" "\${J.key:-none}" "$J.key" "\${NONE:-$P}"`;
const printed = 10;

/** Every path a value can take, and a working directory that should stay empty. */
function buildSpec(workingDir: string, value: string): string {
  const env = { OWN: '${P}' };
  return JSON.stringify({
    type: 'graph',
    workingDir,
    params: ['none', { P: 'none' }, { J: '{}' }],
    env: [{ E: '${P}' }],
    steps: [
      { name: 'produce', command: ['printf', '%s', '$P'], output: 'O' },
      { name: 'command', env, command: printAll, depends: 'produce' },
      { name: 'bash', shell: 'bash', env, command: printAll, depends: 'produce' },
      { name: 'script', env, script: `# it's a script\n${printAll}\n`, depends: 'produce' },
      { name: 'given', env, command: 'sh -eu', script: `${printAll}\n`, depends: 'produce' },
      {
        name: 'argv',
        command: ['printf', '[%s]', '$P', '${J.key}', '${1}', '${NONE:-$P}', '`printf %s. "$P"`'],
      },
      { name: 'document', command: 'cat <<E\n$P|${J.key}\nE\n' },
      { name: 'nested', command: 'printf "[%s]" "$(printf %s "${J.key}")" "`printf %s \\"${J.key}\\"`"' },
      { name: 'unquoted', command: "printf '[%s]' - $P ${J.key}" },
      // Folder names have a maximum length.
      ...(value.length > 200
        ? []
        : [{ name: 'dir', dir: '../made/${P}', command: 'printf %s. "$(pwd -P)"' }]),
      { name: 'literal', command: "printf %s '$P ${J.key}'" },
      {
        name: 'condition',
        preconditions: [
          { condition: '${P}', expected: value },
          { condition: '${J.key}', expected: value },
          'test "$P" = "${J.key}"',
          'test "`printf %s. "${J.key}"`" = "$P."',
        ],
        command: 'echo met',
      },
      { name: 'sub', run: 'child', params: { P: '${P}' } },
    ],
    handlerOn: { exit: { command: `printf '[%s]' "$P" "\${J.key}"` } },
  });
}

const child = JSON.stringify({
  name: 'child',
  params: { P: 'none' },
  steps: [{ command: 'printf "[%s]" "$P"', output: 'SEEN' }],
});

const inBrackets = (value: string, count: number): string => `[${value}]`.repeat(count);

/** Nothing in these values matches a file. */
const splitAsShell = (value: string): string[] => value.trim().split(/[ \t\n]+/);

async function runWith(value: string): Promise<{ view: RunView; workingDir: string }> {
  const engine = new TestEngine();
  const workingDir = join(engine.home, 'work');
  mkdirSync(workingDir);
  mkdirSync(join(engine.home, 'made'));
  const view = await engine.run(`${buildSpec(workingDir, value)}\n---\n${child}\n`, {
    params: [value, `P=${value}`, `J=${JSON.stringify({ key: value })}`],
  });
  return { view, workingDir };
}

describe.each(values)('a value with %s', (_, value) => {
  it('stays data everywhere', { timeout: 60_000 }, async () => {
    const { view, workingDir } = await runWith(value);
    const statuses = statusesOf(view);
    expect(statuses).toEqual(Object.fromEntries(Object.keys(statuses).map((name) => [name, 'succeeded'])));
    // An output is trimmed.
    const all = inBrackets(value, 3) + inBrackets(value.trim(), 1) + inBrackets(value, printed - 4);
    for (const name of ['command', 'bash', 'script', 'given']) expect(stdoutOf(view, name)).toBe(all);
    expect(stdoutOf(view, 'argv')).toBe(`${inBrackets(value, 4)}[${value}.]`);
    expect(stdoutOf(view, 'document')).toBe(`${value}|${value}\n`);
    expect(stdoutOf(view, 'nested')).toBe(inBrackets(value, 2));
    expect(stdoutOf(view, 'literal')).toBe('$P ${J.key}');
    expect(stdoutOf(view, 'condition')).toBe('met\n');
    expect(JSON.parse(stdoutOf(view, 'sub'))).toMatchObject({ outputs: { SEEN: `[${value}]` } });
    expect(stdoutOf(view, 'onExit')).toBe(inBrackets(value, 2));
    expect(stdoutOf(view, 'unquoted')).toBe(`[-]${inBrackets(splitAsShell(value).join(']['), 2)}`);
    if ('dir' in statuses) expect(stdoutOf(view, 'dir')).toMatch(`/made/${value}.`);
    expect(readdirSync(join(workingDir, '../made'))).toEqual('dir' in statuses ? [value] : []);
    expect(readdirSync(workingDir)).toEqual([]);
  });
});

it('items of a list stay data', async () => {
  const engine = new TestEngine();
  const workingDir = join(engine.home, 'work');
  const items = values.map(([, value]) => value).filter((value) => value.length < 1000);
  const spec = {
    workingDir,
    params: [{ LIST: '[]' }],
    steps: [
      { command: `printf '<%s|%s>' "$ITEM" "\${ITEM.key}" \${ITEM.key}`, parallel: '$LIST', output: 'R' },
    ],
  };
  const list = JSON.stringify(items.map((key) => ({ key })));
  const view = await engine.run(JSON.stringify(spec), { params: [`LIST=${list}`] });
  expect(view.status).toBe('succeeded');
  const { outputs } = view.outputs['R'] as { outputs: string[] };
  for (const [index, key] of items.entries())
    expect(outputs[index]).toContain(`<${JSON.stringify({ key })}|${key}>`);
  expect(readdirSync(workingDir)).toEqual([]);
});

it('a secret, a dotenv file and a previous step stay data', async () => {
  const engine = new TestEngine();
  const workingDir = join(engine.home, 'work');
  mkdirSync(workingDir);
  writeFileSync(join(workingDir, '.env'), "FROM_FILE='$(touch x) `touch x`'\n");
  const view = await engine.run(
    JSON.stringify({
      workingDir,
      steps: [
        { id: 'load-all', command: ['printf', '%s', '{"key": "$(touch x)"}'], output: 'R' },
        {
          name: 'show',
          command: `printf '[%s]' "$FROM_FILE" "\${R.key}" "\${load-all.exitCode}"; cat "\${load-all.stdout}"`,
        },
      ],
    }),
  );
  expect(stdoutOf(view, 'show')).toBe('[$(touch x) `touch x`][$(touch x)][0]{"key": "$(touch x)"}');
  expect(readdirSync(workingDir)).toEqual(['.env']);
});
