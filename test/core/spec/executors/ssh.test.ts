import { describe, expect, it } from 'vitest';
import { loadBaseConfig } from '../../../../core/spec/base-config.ts';
import { loadSpec } from '../../../../core/spec/load.ts';
import { diagnose } from '../../../harness/workflow-texts.ts';

function load(text: string, base?: string) {
  const loaded = loadSpec({
    text,
    ...(base === undefined ? {} : { base: loadBaseConfig({ text: base }).base! }),
  });
  expect(loaded.diagnostics).toEqual([]);
  return loaded.workflows[0]!;
}

const actionsOf = (text: string, base?: string) => load(text, base).steps.map(({ action }) => action);

describe('step of type ssh', () => {
  it('accepts a command, a list, or a script with or without a program', () => {
    const config = { host: 'a', port: 2222, strictHostKey: false };
    const written = 'type: ssh, config: {host: a, port: 2222, strict_host_key: false}';
    expect(
      actionsOf(`steps:
  - {${written}, command: uptime}
  - {${written}, command: [ls, /]}
  - {${written}, script: echo}
  - {${written}, command: python3, script: print()}
`),
    ).toEqual([
      { kind: 'executor', type: 'ssh', config, command: 'uptime' },
      { kind: 'executor', type: 'ssh', config, argv: ['ls', '/'] },
      { kind: 'executor', type: 'ssh', config, script: 'echo' },
      { kind: 'executor', type: 'ssh', config, command: 'python3', script: 'print()' },
    ]);
  });

  it.each([
    [
      'command: a',
      '1:9: The step has no host. Add "config: {host: NAME}", or set "ssh" with a host for the workflow.',
      '(steps[0])',
    ],
    [
      'config: {user: a}, command: a',
      'The step has no host. Add "config: {host: NAME}", or set "ssh" with a host for the workflow.',
      '(steps[0].config)',
    ],
    [
      'config: {host: a}',
      '1:9: The step has nothing to run on the host. Add "command" or "script".',
      '(steps[0])',
    ],
    ['config: {host: a}, command: " "', '"command" is empty.', '(steps[0].command)'],
    ['config: {host: a}, command: []', '"command" is empty.', '(steps[0].command)'],
    ['config: {host: a}, script: ""', '"script" is empty.', '(steps[0].script)'],
    [
      'config: {host: a, ip: b}, command: a',
      '"ip" and "host" mean the same. Remove one of them.',
      '(steps[0].config.ip)',
    ],
    ['config: {host: a, port: x}, command: a', '"port" must be a number', '(steps[0].config.port)'],
    ['config: {host: a, prot: 1}, command: a', 'Did you mean "port"?', '(steps[0].config.prot)'],
    [
      'config: {host: a}, command: a, dir: b',
      '"dir" is a folder on this machine and has no effect over SSH. Start the command with "cd" instead.',
      '(steps[0].dir)',
    ],
    [
      'config: {host: a}, command: a, params: b',
      '"params" is not supported for steps of type "ssh".',
      '(steps[0].params)',
    ],
  ])('reports errors in {%s}', (fields, message, path) => {
    const [first = '', ...more] = diagnose(`steps: [{type: ssh, ${fields}}]`);
    expect(more).toEqual([]);
    expect(first).toContain(message);
    expect(first.endsWith(path)).toBe(true);
  });
});

describe('ssh of a workflow', () => {
  const ssh = 'ssh: {user: u, host: a, key: k}\n';
  const config = { user: 'u', host: 'a', key: 'k' };

  it('runs commands and scripts on its host, unless they have another type', () => {
    const actions = actionsOf(`${ssh}steps:
  - uptime
  - [{command: [ls, /]}, {script: echo}]
  - {command: python3 -u, script: print()}
  - {type: command, command: here}
  - {type: shell, script: here}
  - {run: other}
  - {type: jq, command: ., script: "1"}
`);
    const remote = { kind: 'executor', type: 'ssh', config };
    expect(actions.slice(0, 4)).toEqual([
      { ...remote, command: 'uptime' },
      { ...remote, argv: ['ls', '/'] },
      { ...remote, script: 'echo' },
      { ...remote, script: 'print()', argv: ['python3', '-u'] },
    ]);
    expect(actions.slice(4).map((action) => ('type' in action ? action.type : action.kind))).toEqual([
      'command',
      'script',
      'dag',
      'jq',
    ]);
  });

  it('applies to handlers', () => {
    const { handlers } = load(
      `${ssh}handlerOn: {exit: uptime, failure: {type: command, command: here}}\nsteps: [echo]`,
    );
    expect(handlers.exit!.action).toEqual({ kind: 'executor', type: 'ssh', config, command: 'uptime' });
    expect(handlers.failure!.action.kind).toBe('command');
  });

  it('provides defaults for a step of type ssh, but sends its login to no other host', () => {
    const steps = `steps:
  - {type: ssh, config: {user: v}, command: a}
  - {type: ssh, command: a}
  - {type: ssh, config: {host: b}, command: a}
`;
    expect(actionsOf(ssh + steps)).toMatchObject([
      { config: { ...config, user: 'v' } },
      { config },
      { config: { host: 'b' } },
    ]);
    expect(actionsOf(ssh + steps)[2]).toHaveProperty('config', { host: 'b' });
  });

  it('can come from the base configuration, field by field, for its handlers as well', () => {
    const base = 'ssh: {user: u, key: k}\nhandlerOn: {exit: uptime}\n';
    const { steps, handlers } = load('ssh: {host: a}\nsteps: [uptime]', base);
    expect(steps[0]!.action).toHaveProperty('config', config);
    expect(handlers.exit!.action).toHaveProperty('config', config);
  });

  it.each([
    [
      'ssh: {user: u}\nsteps: [a]',
      '1:6: "ssh" has no host. Add "host", such as "host: build.example.com". (ssh)',
    ],
    ['ssh: {host: a, hots: b}\nsteps: [a]', '1:16: Unknown field "hots". Did you mean "host"? (ssh.hots)'],
    [
      `${ssh}steps: [{command: a, dir: b}]`,
      '2:27: "dir" is a folder on this machine, but the step runs on the host of "ssh". Start the command with "cd", or use "type: command" to run the step locally. (steps[0].dir)',
    ],
  ])('reports errors: %s', (text, message) => {
    expect(diagnose(text)).toEqual([message]);
  });
});
