import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTestHome, runEngine, runForJson } from '../../harness/home-and-command.ts';

/** A file that is not a workflow, and its errors. */
interface BadFile {
  readonly what: string;
  readonly content: string | Uint8Array;
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly message: RegExp;
}

/** Ten lists, each of ten aliases of the previous one: expanded, 10,000,000,000 values. */
const bomb = Array.from({ length: 10 }, (_, level) => {
  const member = level === 0 ? 'x' : `*a${level - 1}`;
  return `a${level}: &a${level} [${Array.from({ length: 10 }, () => member).join(', ')}]\n`;
}).join('');

const badFiles: readonly BadFile[] = [
  { what: 'an empty file', content: '', line: 1, column: 1, path: '', message: /is empty.*"steps:"/ },
  {
    what: 'a binary file',
    content: new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 10, 1, 0, 7]),
    line: 2,
    column: 1,
    path: '',
    message: /is a binary file, not YAML: .* NUL byte/,
  },
  {
    what: 'a tab as indentation',
    content: 'name: a\nsteps:\n\t- echo\n',
    line: 3,
    column: 1,
    path: '',
    message: /Tabs are not allowed for indentation.*Replace them with spaces/,
  },
  {
    what: 'a duplicate key',
    content: 'steps:\n  - name: a\n    command: one\n    command: two\n',
    line: 4,
    column: 5,
    path: 'steps[0].command',
    message: /Duplicate key "command" .*line 3/,
  },
  {
    what: 'an alias bomb',
    content: `${bomb}steps: *a9\n`,
    line: 5,
    column: expect.any(Number) as number,
    path: 'a4[7]',
    message: /Aliases repeat more than 100,000 values/,
  },
  {
    what: 'an unknown key',
    content: 'steps:\n  - name: a\n    comand: one\n',
    line: 3,
    column: 5,
    path: 'steps[0].comand',
    message: /Unknown field "comand".*Did you mean "command"\?/,
  },
  {
    what: 'a dependency cycle',
    content:
      'type: graph\nsteps:\n  - {name: a, command: x, depends: b}\n  - {name: b, command: x, depends: a}\n',
    line: 3,
    column: 36,
    path: 'steps[0].depends',
    message: /Dependency cycle: a -> b -> a/,
  },
  {
    what: 'a missing dependency',
    content: 'steps:\n  - name: extract\n    command: x\n  - command: y\n    depends: extrct\n',
    line: 5,
    column: 14,
    path: 'steps[1].depends',
    message: /Unknown step "extrct".*Did you mean "extract"\?/,
  },
  {
    what: 'more than 4 MiB',
    content: `steps:\n  - echo ok\n#${'x'.repeat(4 * 1024 * 1024)}`,
    line: 1,
    column: 1,
    path: '',
    message: /is 4\.1 MiB\. The limit .* is 4 MiB/,
  },
  {
    what: 'bytes that are not UTF-8',
    content: Buffer.from('steps:\n  - echo \xFF\xFE\n', 'latin1'),
    line: 2,
    column: 10,
    path: '',
    message: /Invalid UTF-8\. Save the file in UTF-8/,
  },
];

describe.each(badFiles)('$what', ({ content, line, column, path, message }) => {
  it('is rejected by validate and by start, with its position, and creates no run', async () => {
    const place = makeTestHome();
    const file = join(place.cwd, 'bad.yaml');
    writeFileSync(file, content);
    const [validated, started] = await Promise.all([
      runForJson(place, ['validate', 'bad.yaml']),
      runEngine(place, ['start', 'bad.yaml']),
    ]);

    expect(validated).toEqual({
      code: 1,
      json: {
        valid: false,
        errors: [
          {
            severity: 'error',
            message: expect.stringMatching(message),
            file: 'bad.yaml',
            line,
            column,
            path,
          },
        ],
        warnings: [],
      },
    });
    const [error] = validated.json.errors;
    expect(started).toMatchObject({ code: 1, stdout: '' });
    expect(started.stderr).toContain(`${file}:${line}:${error!.column}: ${error!.message}`);
    expect(await runForJson(place, ['history'])).toEqual({ code: 0, json: { dagRuns: [] } });
  });
});

it('several invalid files are reported one after another, each with its position', async () => {
  const place = makeTestHome();
  const names = badFiles.map(({ content }, index) => {
    writeFileSync(join(place.cwd, `${index}.yaml`), content);
    return `${index}.yaml`;
  });
  const outcome = await runEngine(place, ['validate', ...names]);
  const heads = outcome.stderr.split('\n').filter((line) => /^\d+\.yaml:\d+:\d+: /.test(line));
  expect(heads).toEqual(
    badFiles.map(({ line, message }, index) =>
      expect.stringMatching(new RegExp(`^${index}\\.yaml:${line}:\\d+: .*${message.source}`)),
    ),
  );
  expect(outcome.code).toBe(1);
});

it('start --format json prints positions as data', async () => {
  const place = makeTestHome();
  const file = join(place.cwd, 'bad.yaml');
  writeFileSync(file, 'steps:\n  - name: a\n    comand: one\n');
  const outcome = await runForJson(place, ['start', 'bad.yaml']);
  const diagnostics = [{ severity: 'error', file, line: 3, column: 5, path: 'steps[0].comand' }];
  expect(outcome).toMatchObject({
    code: 1,
    json: { error: { code: 'invalid_spec', details: { diagnostics } } },
  });
});

it('an escape sequence in an invalid file does not reach the terminal', async () => {
  const place = makeTestHome();
  writeFileSync(join(place.cwd, 'title.yaml'), 'steps:\n  - "echo \u001B]0;owned\u0007\u009B31m"\n');
  for (const command of ['validate', 'start']) {
    const { code, stdout, stderr } = await runEngine(place, [command, 'title.yaml']);
    expect(stderr).toMatch(/title\.yaml:2:11: Control character U\+001B is not allowed/);
    expect(stdout + stderr).not.toMatch(/[^\P{Cc}\n]/u);
    expect(code).toBe(1);
  }
});
