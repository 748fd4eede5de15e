import { describe, expect, it } from 'vitest';
import { loadBaseConfig } from '../../../../core/spec/base-config.ts';
import { loadSpec } from '../../../../core/spec/load.ts';
import { diagnose } from '../../../harness/workflow-texts.ts';

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

/** Without unset fields. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('step in a container', () => {
  it('is declared by its type or by its field, with their settings', () => {
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
    [
      'type: docker, command: a',
      'The step has no container. Add "image" for a new container, or "containerName" for a running one.',
      '(steps[0])',
    ],
    [
      'type: docker, config: {containerName: a}',
      'The step has nothing to run in the container. Add "command" or "script".',
      '(steps[0])',
    ],
    [
      'type: docker, config: {image: a, exec: {User: b}}, command: c',
      '"exec" only applies to existing containers, but this step creates one from an image. Move the settings to "container".',
      '(steps[0].config.exec)',
    ],
    [
      'type: docker, config: {containerName: a, host: {}}, command: c',
      '"host" only applies to new containers, but this step uses an existing one. Add "image", or remove "host".',
      '(steps[0].config.host)',
    ],
    [
      'type: docker, config: {image: a, pull: sometimes}, command: c',
      'Unknown pull policy "sometimes". Use always, missing, never, true or false.',
      '(steps[0].config.pull)',
    ],
    ['type: docker, config: {imag: a}, command: c', 'Did you mean "image"?', '(steps[0].config.imag)'],
    ['type: docker, config: {image: a}, command: " "', '"command" is empty.', '(steps[0].command)'],
    [
      'type: docker, config: {image: a}, dir: b',
      '"dir" is a folder on this machine and has no effect in a container. Use "container: {workingDir: /path}" instead.',
      '(steps[0].dir)',
    ],
    [
      'type: docker, config: {image: a}, container: {image: b}',
      '"image" is also set in "container". Keep only one of them.',
      '(steps[0].config.image)',
    ],
    [
      'type: command, container: {image: a}, command: b',
      'Steps of type "command" run on this machine, but "container" is set. Remove one of them.',
      '(steps[0].container)',
    ],
    [
      'type: jq, container: {image: a}, command: .',
      'Steps of type "jq" cannot run in a container. Remove "container".',
      '(steps[0].container)',
    ],
    [
      'container: {image: a}, run: b',
      'Steps of type "container" cannot run a workflow. Remove "run".',
      '(steps[0].run)',
    ],
    [
      'container: {image: a, pullPolicy: x}',
      'Unknown pull policy "x". Use always, missing, never, true or false.',
      '(steps[0].container.pullPolicy)',
    ],
    ['container: {image: a, volumes: [b]}', 'Invalid volume "b".', '(steps[0].container.volumes[0])'],
    [
      'container: {image: a, ports: ["0:1"]}',
      'Invalid port "0:1". Use HOST:CONTAINER with numbers from 1 to 65535, such as "8080:80" or "127.0.0.1:8080:80/udp".',
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
    [
      'container: {image: a, startup: command}',
      '"startup: command" requires "command". Add the program and its arguments.',
      '(steps[0].container)',
    ],
    [
      'container: {image: a, command: [b]}',
      '"command" only has an effect with "startup: command". Set "startup: command", or remove "command".',
      '(steps[0].container.command)',
    ],
    [
      'container: {containerName: a, ports: ["80"]}, command: b',
      '"ports" requires "image", because commands otherwise run in an existing container. Add "image", or remove "ports".',
      '(steps[0].container.ports)',
    ],
  ])('reports errors in {%s}', (fields, message, path) => {
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

  it('runs commands and scripts, also of handlers, unless they have another type', () => {
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

  it('can be set partly by the base configuration, as can logins', () => {
    const workflow = load(
      'container: {user: u}\nregistryAuths: {b: {auth: c}}\nsteps: [echo]',
      'container: {image: a, user: v}\nregistryAuths: {a: {username: u, password: p}}',
    );
    expect(workflow.container).toMatchObject({ image: 'a', user: 'u' });
    expect(workflow.registryAuths).toEqual({ a: { username: 'u', password: 'p' }, b: { auth: 'c' } });
  });

  it.each([
    [
      'container: {user: a}\nsteps: [echo]',
      '1:12: "container" has no image. Add "image", such as "image: alpine:3", or "containerName" for a running container.',
      '(container)',
    ],
    [
      `${container}steps: [{command: a, dir: b}]`,
      'the step runs in the container of the workflow',
      '(steps[0].dir)',
    ],
    [
      'registryAuths: {a: {username: b}}\nsteps: [echo]',
      'Missing credentials for "a". Add "username" and "password", "token" or "auth".',
      '(registryAuths.a)',
    ],
  ])('reports errors in %j', (text, message, path) => {
    const [first = '', ...more] = diagnose(text);
    expect(more).toEqual([]);
    expect(first).toContain(message);
    expect(first.endsWith(path)).toBe(true);
  });
});
