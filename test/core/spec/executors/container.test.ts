import { describe, expect, it } from 'vitest';
import { loadBaseConfig } from '../../../../core/spec/base-config.ts';
import { loadSpec } from '../../../../core/spec/load.ts';
import { diagnose } from '../diagnose.ts';

function load(text: string, base?: string) {
  const loaded = loadSpec({
    text,
    ...(base === undefined ? {} : { base: loadBaseConfig({ text: base }).base! }),
  });
  expect(loaded.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  return loaded.workflows[0]!;
}

const actionsOf = (text: string, base?: string) => load(text, base).steps.map(({ action }) => action);
const spec = (fields: object) => ({ env: [], volumes: [], ports: [], ...fields });

/** Without the fields that nobody has given. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('a step in a container', () => {
  it('is one by its type or by its field, with what they say', () => {
    const actions = actionsOf(`steps:
  - {type: docker, config: {image: a, pull: true, autoRemove: false, host: {Memory: 1}}, command: [b, c]}
  - {container: {image: a, name: n, workDir: /w, env: {K: v}, pullPolicy: false}, command: b c}
  - {container: {image: a}}
  - {type: container, config: {containerName: n, exec: {User: u}}, script: b}
`);
    const executor = { kind: 'executor', type: 'container' };
    expect(plain(actions)).toEqual([
      {
        ...executor,
        config: { image: 'a', pull: 'true', autoRemove: false, host: { Memory: 1 } },
        argv: ['b', 'c'],
      },
      {
        ...executor,
        config: {},
        command: 'b c',
        container: {
          isShared: false,
          spec: spec({
            image: 'a',
            containerName: 'n',
            workingDir: '/w',
            env: [{ name: 'K', value: 'v' }],
            pullPolicy: 'false',
          }),
        },
      },
      { ...executor, config: {}, container: { isShared: false, spec: spec({ image: 'a' }) } },
      { ...executor, config: { containerName: 'n', exec: { User: 'u' } }, script: 'b' },
    ]);
  });

  it.each([
    ['type: docker, command: a', 'The step names no container to run in.', '(steps[0])'],
    ['type: docker, config: {containerName: a}', 'The step does nothing in the container.', '(steps[0])'],
    [
      'type: docker, config: {image: a, exec: {User: b}}, command: c',
      '"exec" is for a command',
      '(steps[0].config.exec)',
    ],
    [
      'type: docker, config: {containerName: a, host: {}}, command: c',
      '"host" is for a container that is made',
      '(steps[0].config.host)',
    ],
    [
      'type: docker, config: {image: a, pull: sometimes}, command: c',
      'The pull policy "sometimes" is none of',
      '(steps[0].config.pull)',
    ],
    ['type: docker, config: {imag: a}, command: c', 'Did you mean "image"?', '(steps[0].config.imag)'],
    ['type: docker, config: {image: a}, command: " "', '"command" is empty.', '(steps[0].command)'],
    ['type: docker, config: {image: a}, dir: b', '"dir" is a folder of this machine', '(steps[0].dir)'],
    [
      'type: docker, config: {image: a}, container: {image: b}',
      '"image" is given in "container" as well',
      '(steps[0].config.image)',
    ],
    [
      'type: command, container: {image: a}, command: b',
      'runs on this machine, and "container" is given',
      '(steps[0].container)',
    ],
    [
      'type: jq, container: {image: a}, command: .',
      'A step of type "jq" runs in no container.',
      '(steps[0].container)',
    ],
    ['container: {image: a}, run: b', 'runs no workflow. Remove "run"', '(steps[0].run)'],
    ['container: {image: a, pullPolicy: x}', 'The pull policy "x"', '(steps[0].container.pullPolicy)'],
    [
      'container: {image: a, volumes: [b]}',
      'The volume "b" is not SOURCE:TARGET',
      '(steps[0].container.volumes[0])',
    ],
    [
      'container: {image: a, ports: ["0:1"]}',
      'The port "0:1" is not HOST:CONTAINER',
      '(steps[0].container.ports[0])',
    ],
    [
      'container: {image: a, logPattern: "("}',
      'Invalid regular expression: missing closing )',
      '(steps[0].container.logPattern)',
    ],
    [
      'container: {image: a, restartPolicy: x}',
      '"restartPolicy" must be one of',
      '(steps[0].container.restartPolicy)',
    ],
    ['container: {image: a, startup: command}', '"startup: command" needs "command"', '(steps[0].container)'],
    [
      'container: {image: a, command: [b]}',
      '"command" has an effect only with',
      '(steps[0].container.command)',
    ],
    [
      'container: {containerName: a, ports: ["80"]}, command: b',
      '"ports" is for a container that is made',
      '(steps[0].container.ports)',
    ],
  ])('says what is wrong with {%s}', (fields, message, path) => {
    const [first = '', ...more] = diagnose(`steps: [{${fields}}]`).filter(
      (line) => !line.includes('warning:'),
    );
    expect(more).toEqual([]);
    expect(first).toContain(message);
    expect(first.endsWith(path)).toBe(true);
  });
});

describe('container of a workflow', () => {
  const container = 'container: {image: a}\n';
  const shared = { isShared: true, spec: spec({ image: 'a' }) };

  it('takes commands and scripts in, of handlers as well, unless their type says otherwise', () => {
    const workflow = load(`${container}ssh: {host: h}
handlerOn: {exit: echo}
steps:
  - echo a
  - [ls]
  - {script: b, command: c d}
  - {type: docker, command: e}
  - {type: docker, config: {image: other}, command: e}
  - {container: {image: own}, command: e}
  - {type: command, command: f}
  - {type: ssh, command: g}
`);
    const moved = { kind: 'executor', type: 'container', config: {}, container: shared };
    expect(plain(workflow.steps.map(({ action }) => action))).toMatchObject([
      { ...moved, command: 'echo a' },
      { ...moved, command: 'ls' },
      { ...moved, script: 'b', argv: ['c', 'd'] },
      { ...moved, command: 'e' },
      { config: { image: 'other' } },
      { container: { isShared: false, spec: { image: 'own' } } },
      { kind: 'command', command: 'f' },
      { type: 'ssh', config: { host: 'h' } },
    ]);
    expect(plain(workflow.handlers.exit!.action)).toEqual({ ...moved, command: 'echo' });
  });

  it('may be given in part by the base configuration, as may logins', () => {
    const workflow = load(
      'container: {user: u}\nregistryAuths: {b: {auth: c}}\nsteps: [echo]',
      'container: {image: a, user: v}\nregistryAuths: {a: {username: u, password: p}}',
    );
    expect(workflow.container).toMatchObject({ image: 'a', user: 'u' });
    expect(workflow.registryAuths).toEqual({ a: { username: 'u', password: 'p' }, b: { auth: 'c' } });
  });

  it.each([
    ['container: {user: a}\nsteps: [echo]', '1:12: "container" names no image.', '(container)'],
    [
      `${container}steps: [{command: a, dir: b}]`,
      'the step runs in the container of the workflow',
      '(steps[0].dir)',
    ],
    [
      'registryAuths: {a: {username: b}}\nsteps: [echo]',
      'The login for "a" has neither',
      '(registryAuths.a)',
    ],
  ])('says what is wrong with %j', (text, message, path) => {
    const [first = '', ...more] = diagnose(text);
    expect(more).toEqual([]);
    expect(first).toContain(message);
    expect(first.endsWith(path)).toBe(true);
  });
});
