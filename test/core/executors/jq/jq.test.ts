import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ExecutorAction } from '../../../../core/model/step.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { runStep, startStep, type StepChoice } from '../step-harness.ts';

interface Query extends Pick<ExecutorAction, 'config'> {
  readonly script?: string;
}

const query = (command: string, { config, script }: Query): ExecutorAction => ({
  kind: 'executor',
  type: 'jq',
  command,
  config,
  ...(script === undefined ? {} : { script }),
});

const ask = (command: string, script: string, config: ExecutorAction['config'] = {}, choice?: StepChoice) =>
  runStep(query(command, { script, config }), choice);

const everyType =
  '{"t":"a\\"b","n":1.50,"yes":true,"no":null,"o":{"a":[1]},"l":[],"u":"Zürich 🚲 \u2028\\u0007"}';

describe('query output', () => {
  it('is indented by 4 spaces', async () => {
    const { end, stdout } = await ask('.o, .t, .no', everyType);
    expect(end).toEqual({ exitCode: 0 });
    expect(stdout).toBe('{\n    "a": [\n        1\n    ]\n}\n"a\\"b"\nnull\n');
  });

  it('has one line per result when compact', async () => {
    const { stdout } = await ask('., .t', '{"t": "a", "l": [1, 2]}', { compact: true });
    expect(stdout).toBe('{"t":"a","l":[1,2]}\n"a"\n');
  });

  it('when raw has strings without quotes, null as nothing and the rest compact', async () => {
    const { stdout } = await ask('.[]', everyType, { raw: true });
    expect(stdout).toBe('a"b\n1.50\ntrue\n\n{"a":[1]}\n[]\nZürich 🚲 \u2028\u0007\n');
  });

  it('when raw distinguishes the string "null" and multi-line strings', async () => {
    const { stdout } = await ask('.[]', '["null", "\\"x\\"", "a\\nnull\\n\\"b\\"", "", null]', { raw: true });
    expect(stdout).toBe('null\n"x"\na\nnull\n"b"\n\n\n');
  });

  it('keeps the digits of numbers that are only passed through, as jq does', async () => {
    const big = '123456789012345678901234567890';
    const { stdout } = await ask('.[0], .[1], .[0] + 1', `[${big}, 1.000]`);
    expect(stdout).toBe(`${big}\n1.000\n123456789012345680000000000000\n`);
  });

  it('can be empty, or the results of several values', async () => {
    expect((await ask('empty', '1')).stdout).toBe('');
    expect((await ask('. + 1', '1 2\n3')).stdout).toBe('2\n3\n4\n');
    expect((await ask('add', '1 2\n3', { slurp: true })).stdout).toBe('6\n');
    expect((await ask('[., input]', '1 2', { nullInput: true, compact: true })).stdout).toBe('[null,1]\n');
  });

  it('is complete when it is large', async () => {
    const { stdout } = await ask('range(200000)', '0');
    expect(stdout.length).toBe(1_288_890);
    expect(stdout.endsWith('\n199998\n199999\n')).toBe(true);
    const long = await ask('"ü" * 1000000', '0', { raw: true });
    expect(long.stdout).toBe(`${'ü'.repeat(1_000_000)}\n`);
  });

  it('fails when it is endless, and keeps the output up to the limit', async () => {
    const { end, stdout } = await ask('repeat("x" * 1000000)', '0', { raw: true });
    expect(end.error).toBe(
      'the output exceeds 64 MiB. Reduce the output, or split the query into several steps',
    );
    expect(stdout.length).toBeGreaterThan(60_000_000);
  });
});

describe('failed query', () => {
  it('reports compile errors with their location', async () => {
    const { end, stderr } = await ask('.a\n| nosuch(1)', '{}');
    expect(end.exitCode).toBe(3);
    expect(end.error).toMatch(/^jq: error: nosuch\/1 is not defined at <top-level>, line 2:\n/);
    expect(stderr.trim()).toBe(end.error);
  });

  it('reports which input value it failed on, after earlier output', async () => {
    const { end, stdout } = await ask('.a', '{"a":1}\n{"a":2}\n[3]\n{"a":4}');
    expect(stdout).toBe('1\n2\n4\n');
    expect(end).toEqual({
      exitCode: 5,
      error: 'jq: error (at <script>:3): Cannot index array with string "a"',
    });
  });

  it('reports invalid input JSON with its location', async () => {
    const { end } = await ask('.', '{"a": 1,\n "b" 2}');
    expect(end.error).toBe('jq: parse error: Expected separator between values at line 2, column 7');
    expect(end.exitCode).toBe(5);
  });

  it('has its own exit code and message', async () => {
    const { end } = await ask('"too few rows\\n" | halt_error(9)', '1');
    expect(end).toEqual({ exitCode: 9, error: 'too few rows' });
    expect((await ask('null | halt_error(4)', '1')).end.exitCode).toBe(4);
    expect((await ask('"all is well" | halt_error(0)', '1')).end).toEqual({ exitCode: 0 });
  });

  it('names the reference for a variable of the run', async () => {
    const { end } = await ask('.a == $LIMIT', '{}', {}, { env: { LIMIT: '5' } });
    expect(end.error).toContain('In a query, use ${LIMIT} or $ENV.LIMIT for the variable LIMIT.');
  });

  it('reports that no value was left for `input`', async () => {
    const { end, stderr } = await runStep(query('input', { config: { nullInput: true } }));
    expect(end).toMatchObject({
      exitCode: 5,
      error: expect.stringContaining(
        'No input left for "input". Add more JSON in script, config.input or config.inputFile, or use "inputs".',
      ),
    });
    expect(stderr).toBe('jq: error (at <script>:0): break\n');
    expect((await ask('error("break")', '1')).end.error).toBe('jq: error (at <script>:0): break');
  });

  it('is distinguished from one that runs out of memory, and the next one runs', async () => {
    const { end } = await ask('[limit(2000; repeat("x" * 1000000 | ltrimstr("y") + "z"))] | length', '0');
    expect(end.error).toMatch(/jq exceeded its memory limit of 256 MiB\..*cannot allocate memory/);
    const large = '[range(1000000)] | [.[] | tostring] | length';
    expect((await ask(large, '0', { maxMemoryMiB: 32 })).end.error).toContain(
      'jq exceeded its memory limit of 32 MiB',
    );
    expect((await ask(large, '0', { maxMemoryMiB: 300 })).stdout).toBe('1000000\n');
    expect((await ask('.', '0', { maxMemoryMiB: 2000 })).end.error).toContain('from 32 to 1024');
    const deep = await ask('reduce range(100000) as $i (1; [.])', '0');
    expect(deep.end.error).toContain('a value is nested too deeply');
    expect((await ask('.', '1')).stdout).toBe('1\n');
  }, 60_000);

  it('cannot read files of this machine', async () => {
    const folder = makeTemporaryFolder();
    writeFileSync(join(folder, 'secret.json'), '"secret"');
    const { end } = await ask(`import "${join(folder, 'secret')}" as $s; $s`, '1');
    expect(end.exitCode).toBe(3);
  });
});

describe('query environment', () => {
  it('has variables of `args`, whatever they contain', async () => {
    const text = '"; $__loc__ \\(env) \n'.repeat(20_000);
    const { end, stdout } = await ask('$a, ($a | length), $ARGS.named.b', '1', {
      raw: true,
      args: { a: text, b: '' },
    });
    expect(end).toEqual({ exitCode: 0 });
    expect(stdout).toBe(`${text}\n${text.length}\n\n`);
  });

  it('has the environment of the step, and nothing of the engine', async () => {
    const env = { CITY: 'Zürich 🚲' };
    const { stdout } = await ask('env.CITY, $ENV.CITY, env.HOME', '1', { raw: true }, { env });
    expect(stdout).toBe('Zürich 🚲\nZürich 🚲\n\n');
  });

  it('has dates and regular expressions', async () => {
    const { stdout } = await ask(
      '(0 | todate), ("2026-02-03" | strptime("%Y-%m-%d") | mktime), ("ab" | test("^A"; "i"))',
      '1',
    );
    expect(stdout).toBe('"1970-01-01T00:00:00Z"\n1770076800\ntrue\n');
  });
});

describe('query input', () => {
  it('comes from text or a file, which errors name', async () => {
    const workingDir = makeTemporaryFolder();
    mkdirSync(join(workingDir, 'data'));
    writeFileSync(join(workingDir, 'data/rows.json'), '[1]\n{"a":"ü"}');
    const file = await runStep(query('.a', { config: { inputFile: 'data/rows.json' } }), { workingDir });
    expect(file.end.error).toContain(`(at ${join(workingDir, 'data/rows.json')}:1): Cannot index array`);
    expect(file.stdout).toBe('"ü"\n');
    const text = await runStep(query('input_filename, .a', { config: { input: '{"a":2}' } }));
    expect(text.stdout).toBe('"<input>"\n2\n');
  });

  it('can be tens of megabytes of small values', async () => {
    const row = '{"id":12345,"name":"some name","tags":["a","b","c"],"nested":{"x":1,"y":null}},\n';
    const script = `[${row.repeat(Math.floor(30e6 / row.length))}0]`;
    const config = { compact: true, maxMemoryMiB: 1024 };
    const { end, stdout } = await ask('length, (0 | localtime | length)', script, config);
    expect(end).toEqual({ exitCode: 0 });
    expect(stdout).toBe(`${Math.floor(30e6 / row.length) + 1}\n8\n`);
  }, 60_000);

  it('is rejected when it is too large', async () => {
    const { end } = await ask('.', `"${'x'.repeat(64 * 1024 * 1024)}"`);
    expect(end.error).toMatch(
      /^the input has 65 MiB \(the limit is 64 MiB\): split it, or run the jq command of this machine/,
    );
  });

  it('is rejected when its file cannot be read', async () => {
    const folder = makeTemporaryFolder();
    const none = await runStep(query('.', { config: { inputFile: 'none.json' } }), { workingDir: folder });
    expect(none.end.error).toContain(`Cannot read config.inputFile, ${join(folder, 'none.json')}: ENOENT`);
    const isFolder = await runStep(query('.', { config: { inputFile: '.' } }), { workingDir: folder });
    expect(isFolder.end.error).toContain('not a file');
  });

  it('works with a query from a file', async () => {
    const workingDir = makeTemporaryFolder();
    writeFileSync(join(workingDir, 'report.jq'), '# rows\ndef twice: . * 2;\n.[] | twice\n');
    const action: ExecutorAction = {
      kind: 'executor',
      type: 'jq',
      script: '[1,2]',
      config: { queryFile: 'report.jq' },
    };
    expect((await runStep(action, { workingDir })).stdout).toBe('2\n4\n');
  });
});

describe('endless query', () => {
  it('is killed, and frees its slot', async () => {
    const actions = Array.from({ length: 6 }, () =>
      startStep(query('"x", (def f: f; f)', { script: '1', config: {} })),
    );
    for (const started of actions) started.stop();
    for (const started of actions) expect((await started.ended).error).toBeDefined();
    expect((await ask('. + 1', '1')).stdout).toBe('2\n');
  });
});
