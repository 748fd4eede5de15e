import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { importShellScript, findTopLines } from '../../../../core/edit/import/shell-script.ts';
import { loadSpec } from '../../../../core/spec/load.ts';
import { TestEngine } from '../../../harness/engine.ts';

const script = `#!/bin/bash
# Nightly report.
# Runs at two.

set -u
ROOT=/tmp
greet() {
  echo "hello $1"
}

# --- Fetch the data ---
greet fetch
rows=3
case "$rows" in
  3) echo three ;;
esac

# Not a heading: it is inside
cat <<END
# Neither is this

# nor this
END

# Write
if [ -d "$ROOT" ]; then

  # inside a condition
  greet "write \${rows:-none}"
fi
cd /
# done with it
pwd

# Write
pwd
`;

function convert(fileName: string, text: string, split = false) {
  const result = importShellScript({ fileName, script: text, split });
  if (!result.ok) throw new Error(result.reason);
  return result.workflows[0]!;
}

/** What the steps print, in order. */
async function printed(spec: string): Promise<string> {
  const engine = new TestEngine();
  const run = await engine.run(spec);
  expect(run.status).toBe('succeeded');
  const logs = await Promise.all(
    run.steps.map(({ name }) =>
      engine.host.api.call(
        'logs.lines',
        { name: run.name, dagRunId: run.dagRunId, step: name },
        { via: 'cli', name: 'test' },
      ),
    ),
  );
  return logs.flatMap(({ lines }) => lines.map((line) => `${line}\n`)).join('');
}

describe('importShellScript', () => {
  test('keeps a whole script unchanged, in one step', async () => {
    const { name, text, notes } = convert('Nightly Report.sh', script);
    expect(name).toBe('Nightly-Report');
    expect(notes).toEqual([]);
    expect(loadSpec({ text, file: 'x.yaml' }).workflows[0]).toMatchObject({
      description: 'Nightly report. Runs at two.',
      steps: [{ name: 'script' }],
    });
    expect(await printed(text)).toBe(execFileSync('bash', ['-c', script], { encoding: 'utf8' }));
  });

  test('creates a step for each section, each with the head of the script', async () => {
    const { text, notes } = convert('report.sh', script, true);
    const [workflow] = loadSpec({ text, file: 'report.yaml' }).workflows;
    expect(workflow?.steps.map(({ name }) => name)).toEqual([
      'Fetch the data',
      'Not a heading: it is inside',
      'Write',
      'Write 2',
    ]);
    expect(notes).toEqual([
      '"Fetch the data" sets rows, which a later step reads. Print the value and use "output: rows".',
      '"Write" changes the directory, which has no effect on later steps. Set "dir" in those steps.',
    ]);
    const said = await printed(text);
    expect(said).toContain('hello fetch\nthree\n# Neither is this\n\n# nor this\nhello write none\n/\n');
  });

  test('turns arguments into parameters', () => {
    const { text, notes } = convert('copy.sh', 'cp "$1" "${2}"\n');
    expect(text).toContain('params:\n  - \'""\'\n  - \'""\'\n');
    expect(loadSpec({ text, file: 'copy.yaml' }).workflows[0]?.params).toEqual([
      { name: '1', value: '' },
      { name: '2', value: '' },
    ]);
    expect(notes).toEqual(['The arguments of the script were converted to parameters. Set their defaults.']);
  });

  test('puts commands above the first comment into a separate step', () => {
    const { text } = convert('a.sh', 'echo first\n\n# one\necho 1\n\n# two\necho 2\n', true);
    const [workflow] = loadSpec({ text, file: 'a.yaml' }).workflows;
    expect(workflow?.steps.map(({ name }) => name)).toEqual(['prepare', 'one', 'two']);
  });

  test('reports that a script without sections stays whole', () => {
    expect(convert('a.sh', 'echo 1\n', true).notes).toEqual([
      'The script has no comment lines that start sections, so it becomes a single step.',
    ]);
  });

  test.each([
    ['', 'The script is empty. Choose a file with commands.'],
    [
      '#!/usr/bin/env python3\nprint(1)\n',
      'This is a "/usr/bin/env python3", not a shell script. Put it in the "script" field of a step, which supports other interpreters.',
    ],
  ])('rejects %j', (text, reason) => {
    expect(importShellScript({ fileName: 'a', script: text })).toEqual({ ok: false, reason });
  });
});

describe('findTopLines', () => {
  test.each([
    ['echo done\necho', [true, true]],
    ['for x in 1; do\n  echo $x\ndone\necho', [true, false, false, true]],
    ["echo 'a\nb'\necho", [true, false, true]],
    ['echo "a \\"\nb"\necho', [true, false, true]],
    ['echo a \\\n  b\necho', [true, false, true]],
    ['cat <<-"END"\n\tx\n\tEND\necho', [true, false, false, true]],
    ['case $x in\n  a) echo ;;\n  (b) echo ;;\nesac\necho', [true, false, false, false, true]],
    ['x=$(\n  date\n)\necho', [true, false, false, true]],
    ['f() {\n  echo "${1:-}}"\n}\necho', [true, false, false, true]],
    ['echo # if\necho', [true, true]],
    ['if true; then\n# fi\nfi\necho', [true, false, false, true]],
  ])('of %j', (text, expected) => {
    expect(findTopLines(text)).toEqual(expected);
  });
});
