import { describe, expect, it } from 'vitest';
import { buildExecSpec, type CommandRequest } from '../../../../core/cli/commands/exec-workflow.ts';
import { collectLabels, collectVariables } from '../../../../core/cli/groups/run-commands.ts';
import { loadSpec } from '../../../../core/spec/load.ts';
import { parseParamText } from '../../../../core/spec/params.ts';

const options = (words: readonly string[], more: Partial<CommandRequest> = {}): CommandRequest => ({
  words,
  env: [],
  dotenv: [],
  singleton: false,
  workerLabels: {},
  ...more,
});

/** The workflow as the engine parses it, and the parameters that it receives. */
function read(...given: Parameters<typeof options>) {
  const { spec, params } = buildExecSpec(options(...given));
  const { workflows, diagnostics } = loadSpec({ text: spec });
  expect(diagnostics).toEqual([]);
  return { workflow: workflows[0]!, params: parseParamText(params) };
}

describe('a command without a workflow file', () => {
  it('is one step that gets its arguments as data', () => {
    const words = [
      'printf',
      '%s',
      'a b',
      "it's",
      '"',
      '$HOME `date` \\',
      'two\nlines',
      '',
      'K=v',
      'é\u2028🚲',
    ];
    const { workflow, params } = read(words);
    expect(workflow.steps.map(({ name, action }) => ({ name, action }))).toEqual([
      { name: 'main', action: { kind: 'argv', argv: words.map((_, index) => `\${${index + 1}}`) } },
    ]);
    expect(params).toEqual(words.map((value, index) => ({ name: String(index + 1), value })));
  });

  it('gets variables as named parameters, whatever they contain', () => {
    const env = [{ name: 'GREETING', value: '"$USER" it\'s\n' }];
    expect(read(['env'], { env }).params).toEqual([{ name: '1', value: 'env' }, ...env]);
    const twice = [...env, { name: 'GREETING', value: 'later' }];
    expect(read(['env'], { env: twice }).params).toEqual([
      { name: '1', value: 'env' },
      { name: 'GREETING', value: 'later' },
    ]);
  });

  it.each([
    ['echo hi | wc -l', undefined],
    ['ls', 'bash -e'],
    ['a\u0085b\u2028"c\' $X', undefined],
  ])('is text for a shell: %j by %s', (text, shell) => {
    const { workflow, params } = read([text], { shell });
    expect(workflow.steps[0]!.action).toEqual({ kind: 'command', command: text });
    expect(workflow.shell).toEqual(shell?.split(' '));
    expect(params).toEqual([]);
  });

  it('passes arguments to a named shell as its own arguments', () => {
    const { workflow, params } = read(['printf', 'a b'], { shell: 'bash' });
    expect(workflow.steps[0]!.action).toEqual({ kind: 'command', command: '"$@"' });
    expect(params.map(({ value }) => value)).toEqual(['printf', 'a b']);
    expect(() => buildExecSpec(options(['a', 'b'], { shell: 'pwsh' }))).toThrow(
      'Shell pwsh takes the whole command as a single argument. Quote the command, or remove --shell.',
    );
  });

  it.each([
    [['/usr/bin/rsync', '-a'], 'exec-rsync'],
    [['echo "$X" | wc'], 'exec-echo'],
    [['./my script+.sh', 'x'], 'exec-my'],
    [[`../exec/${'long'.repeat(20)}`], `exec-${'long'.repeat(20)}`.slice(0, 40)],
    [['größe', 'x'], 'exec-gr__e'],
  ])('is named after its program: %j', (words, name) => {
    expect(read(words).workflow.name).toBe(name);
    expect(read(words, { name: 'own' }).workflow.name).toBe('own');
  });

  it('writes its settings so that nothing in them is expanded', () => {
    const { workflow } = read(['ls', '-l'], {
      workdir: '/srv/$HOME',
      dotenv: ['/srv/one.env', '/$odd/two.env'],
      workerLabels: { gpu: 'yes' },
    });
    expect(workflow).toMatchObject({
      workingDir: '/srv/\\$HOME',
      dotenv: [],
      secretFiles: ['/srv/one.env', '/\\$odd/two.env'],
      maxActiveRuns: -1,
      workerSelector: { gpu: 'yes' },
    });
    expect(read(['ls'], { singleton: true }).workflow.maxActiveRuns).toBe(1);
    expect(() => buildExecSpec(options(['ls'], { workdir: '/srv/`id`' }))).toThrow('--workdir');
    expect(() => buildExecSpec(options(['ls'], { dotenv: ['/srv/`id`'] }))).toThrow('--dotenv');
    expect(read(['ls']).workflow.secretFiles).toBeUndefined();
  });

  it.each([[[]], [['']], [['  ']]])('is required: %j', (words) => {
    expect(() => buildExecSpec(options(words))).toThrow('No command specified.');
  });
});

describe('NAME=value', () => {
  it('keeps everything after the first =, and uses the last of a name', () => {
    const once = collectVariables('A=1=2\n3', []);
    expect(once).toEqual([{ name: 'A', value: '1=2\n3' }]);
    expect(collectVariables('A=', once)).toEqual([{ name: 'A', value: '' }]);
    expect(collectLabels('b=2', { a: '1' })).toEqual({ a: '1', b: '2' });
  });

  it.each(['A', '=1', '1A=2', 'A B=1'])('rejects %s as a variable', (text) => {
    expect(() => collectVariables(text, [])).toThrow('NAME=value');
  });

  it.each(['A', '=1', 'a='])('rejects %s as a label', (text) => {
    expect(() => collectLabels(text, {})).toThrow('key=value');
  });
});
