import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseCommand, parsePairs } from '../../../../core/executors/actions/commands.ts';
import { runStep, type StepChoice } from '../step-harness.ts';
import { ActionServerFolder, javaScript, actionStep, writeFiles } from './action-harness.ts';

async function runProgram(program: string, choice: StepChoice = {}) {
  const server = new ActionServerFolder();
  const folder = join(server.folder, 'here');
  writeFiles(join(folder, 'it'), javaScript(program));
  return runStep(actionStep('./it'), { workingDir: folder, ...choice });
}

/** A program that prints the lines. */
const print = (...lines: string[]): string =>
  `process.stdout.write(${JSON.stringify(`${lines.join('\n')}\n`)});`;

describe('output line', () => {
  test.each([
    ['::set-output name=a::b', { name: 'set-output', properties: { name: 'a' }, value: 'b' }],
    [
      '  ::error file=a%2Cb%3A.js,line=1,col=::x%0Ay%25::z',
      { name: 'error', properties: { file: 'a,b:.js', line: '1' }, value: 'x\ny%::z' },
    ],
    ['::group::', { name: 'group', properties: {}, value: '' }],
    ['a ::error::x', undefined],
    ['::', undefined],
    ['::::x', undefined],
    ['::nothing', undefined],
  ])('can be a command: %s', (line, command) => {
    expect(parseCommand(line)).toEqual(command);
  });
});

describe('output file', () => {
  test.each([
    [
      'a=1\nb=2=3\n',
      [
        ['a', '1'],
        ['b', '2=3'],
      ],
    ],
    [
      'a=1\r\n\r\nb=\r\n',
      [
        ['a', '1'],
        ['b', ''],
      ],
    ],
    [
      'a<<E\n1\n2\nE\nb<<E\nE\n',
      [
        ['a', '1\n2'],
        ['b', ''],
      ],
    ],
    ['a=<<x\n', [['a', '<<x']]],
    ['', []],
  ])('contains pairs: %j', (text, pairs) => {
    expect(parsePairs(text, 'GITHUB_OUTPUT')).toEqual(pairs);
  });

  test.each([
    ['lonely\n', /GITHUB_OUTPUT: "lonely" is neither name=value nor name<<MARK/],
    ['=x\n', /neither/],
    ['a<<\nx\n', /neither/],
    ['a<<E\nx', /GITHUB_OUTPUT: the value of "a" has no end: missing line "E"/],
  ])('rejects anything else: %j', (text, message) => {
    expect(() => parsePairs(text, 'GITHUB_OUTPUT')).toThrow(message);
  });
});

describe('workflow commands', () => {
  test('are executed and shown to people', async () => {
    const { end, stdout } = await runProgram(
      print(
        'plain',
        '::set-output name=a::1',
        '::group::Build',
        '::warning file=b.js,line=2::careful',
        '::notice title=News::good',
        '::debug::hidden',
        '::endgroup::',
        '::unheard-of::stays',
      ),
    );
    expect(stdout).toBe(
      'plain\n▸ Build\nWarning: b.js:2: careful\nNotice: News: good\n::unheard-of::stays\n',
    );
    expect(end).toEqual({ exitCode: 0, output: { a: '1' } });
  });

  test('include debug messages when enabled', async () => {
    const { stdout } = await runProgram(print('::debug::seen'), { env: { RUNNER_DEBUG: '1' } });
    expect(stdout).toBe('Debug: seen\n');
  });

  test('are ignored between stop and resume', async () => {
    const { end, stdout } = await runProgram(
      print('::stop-commands::abc', '::set-output name=a::1', '::abc::', '::set-output name=b::2'),
    );
    expect(stdout).toBe('::set-output name=a::1\n');
    expect(end.output).toEqual({ b: '2' });
  });

  test('cannot change variables through output', async () => {
    const { end } = await runProgram(print('::set-env name=A::1'));
    expect(end.error).toMatch(
      /The action should write to the file in GITHUB_ENV; as a workaround,.*ACTIONS_ALLOW_UNSECURE_COMMANDS/,
    );
  });

  test('can change variables when the step allows it', async () => {
    const server = new ActionServerFolder();
    const folder = join(server.folder, 'here');
    writeFiles(join(folder, 'it'), {
      'action.yml':
        'runs:\n  using: composite\n  steps:\n  - {shell: bash, run: "echo ::set-env name=A::1; echo ::add-path::/extra"}\n  - {shell: bash, run: "echo $A ${PATH%%:*}"}\n',
    });
    const { stdout } = await runStep(actionStep('./it'), {
      workingDir: folder,
      env: { ACTIONS_ALLOW_UNSECURE_COMMANDS: 'true' },
    });
    expect(stdout).toContain('1 /extra\n');
  });

  test('mask values in everything that comes later, including the error', async () => {
    const { end, stdout, stderr } = await runProgram(
      `console.log('before s3cret-value');
       setTimeout(() => {
         console.log('::add-mask::s3cret-value');
         console.log('after s3cret-value');
         console.error('err s3cret-value');
         setTimeout(() => { console.log('::error::no s3cret-value'); process.exit(1); }, 50);
       }, 50);`,
    );
    expect(stdout).toBe('before s3cret-value\nafter *******\nError: no *******\n');
    expect(stderr).toBe('err *******\n');
    expect(end.error).toBe('exit code 1: no *******');
  });

  test('are parsed however the output is split, and without a final newline', async () => {
    const { end, stdout } = await runProgram(
      `process.stdout.write('::set-out'); setTimeout(() => process.stdout.write('put name=ä::ö\\n::set-output name=last::x'), 50);`,
    );
    expect(stdout).toBe('');
    expect(end.output).toEqual({ ä: 'ö', last: 'x' });
  });

  test('do not slow down large output', async () => {
    const { stdout } = await runProgram("process.stdout.write('x'.repeat(3_000_000) + '\\nend\\n');");
    expect(stdout.length).toBe(3_000_005);
    expect(stdout.endsWith('x\nend\n')).toBe(true);
  });
});
