import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { busybox, describeWithContainers } from '../../../harness/servers/containers.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { runWorkflow } from '../step-harness.ts';

const host = { NetworkMode: 'none' };
const container = { image: busybox, network: 'none' };

describeWithContainers('container of one step', (engine) => {
  test('runs a command, with its streams and exit code', async () => {
    const { statuses, stdout, stderr, end } = await runWorkflow(engine(), {
      steps: [
        {
          name: 'a',
          type: 'docker',
          config: { image: busybox, host },
          command: ['sh', '-c', 'echo out; echo err >&2; exit 3'],
        },
      ],
    });
    expect(statuses).toEqual({ a: 'failed' });
    expect(stdout('a')).toBe('out\n');
    expect(stderr('a')).toBe('err\n');
    expect(end('a')).toMatchObject({ exitCode: 3, error: 'exit code 3: err' });
    expect(await engine().containers()).toEqual([]);
  });

  test("keeps the image's entry point, and its command when the step has none", async () => {
    engine().addImage('localhost/greeter:1', 'ENTRYPOINT ["/bin/echo", "hello"]', 'CMD ["image"]');
    const greeter = { image: 'localhost/greeter:1', network: 'none' };
    const { stdout } = await runWorkflow(engine(), {
      steps: [
        { name: 'given', container: greeter, command: 'big  "wide world"' },
        { name: 'own', container: greeter },
        {
          name: 'replaced',
          type: 'container',
          config: { image: greeter.image, host, container: { entrypoint: ['/bin/echo', 'bye'] } },
          command: ['all'],
        },
      ],
    });
    expect(stdout('given')).toBe('hello big wide world\n');
    expect(stdout('own')).toBe('hello image\n');
    expect(stdout('replaced')).toBe('bye all\n');
  });

  test('runs the command without a shell, unless the step names one', async () => {
    const { stdout } = await runWorkflow(engine(), {
      steps: [
        { name: 'plain', container, command: 'echo a && echo *' },
        { name: 'shell', container, shell: 'sh', command: 'echo a && echo $HOME' },
      ],
    });
    expect(stdout('plain')).toBe('a && echo *\n');
    expect(stdout('shell')).toBe('a\n/root\n');
  });

  test('runs a script by sh, which stops at a failure, or by its shebang', async () => {
    const { stdout, end } = await runWorkflow(engine(), {
      type: 'graph',
      params: ['first', 'second'],
      steps: [
        { name: 'sh', container, script: 'echo "$2 $0"\nfalse\necho never\n' },
        { name: 'awk', container, script: '#!/bin/awk -f\nBEGIN { print 6 * 7 }\n' },
        { name: 'given', container, command: 'awk -f', script: 'BEGIN { print 6 * 9 }\n' },
      ],
    });
    expect(stdout('sh')).toMatch(/^second \/\.step-[-0-9a-f]{36}\n$/);
    expect(end('sh').exitCode).toBe(1);
    expect(stdout('awk')).toBe('42\n');
    expect(stdout('given')).toBe('54\n');
  });

  test('passes the variables of the step and those its text names, and captures output', async () => {
    const { stdout, view } = await runWorkflow(engine(), {
      env: [{ SHARED: 'shared' }, { UNNAMED: 'unnamed' }],
      params: ['WHO=world'],
      steps: [
        {
          name: 'a',
          container: { ...container, env: [{ INNER: '${WHO}!' }] },
          env: [{ OWN: 'own' }],
          script: 'echo "$SHARED $OWN $INNER $WHO"\nenv | grep -c UNNAME[D] || true\n',
          output: 'SAID',
        },
        { name: 'b', container, command: ['echo', '${SAID}'] },
      ],
    });
    expect(stdout('a')).toBe('shared own world! world\n0\n');
    expect(view.outputs).toMatchObject({ SAID: 'shared own world! world\n0' });
    expect(stdout('b')).toBe('shared own world! world\n0\n');
  });

  test('leaves single-quoted text to the program, and keeps a value one argument', async () => {
    const { stdout } = await runWorkflow(engine(), {
      env: [{ WHO: 'the "\\$(echo) world' }],
      steps: [
        {
          name: 'a',
          container: { ...container, env: [{ MODE: 'fast' }] },
          command: `sh -c 'echo "$MODE, $WHO, $1, $2"' sh "for $WHO" \`echo "on  this" machine\``,
        },
      ],
    });
    expect(stdout('a')).toBe('fast, the "$(echo) world, for the "$(echo) world, on  this machine\n');
  });

  test('mounts volumes, relative to the working directory, and creates missing ones', async () => {
    const workingDir = makeTemporaryFolder();
    mkdirSync(join(workingDir, 'in'));
    writeFileSync(join(workingDir, 'in/text'), 'from here');
    await runWorkflow(engine(), {
      workingDir,
      steps: [
        {
          name: 'a',
          container: { ...container, volumes: ['./in:/in:ro', 'made/deep:/out', 'kept:/kept'] },
          command: ['sh', '-c', 'cat /in/text > /out/text; touch /in/no || echo refused >> /out/text'],
        },
      ],
    });
    expect(readFileSync(join(workingDir, 'made/deep/text'), 'utf8')).toBe('from hererefused\n');
    expect(engine().podman('volume', 'ls', '--quiet')).toBe('kept\n');
    engine().podman('volume', 'rm', 'kept');
  });

  test('applies user, directory, hostname and limits', async () => {
    const { stdout } = await runWorkflow(engine(), {
      steps: [
        {
          name: 'field',
          container: { ...container, user: 'nobody', workDir: '/tmp' },
          script: 'id -un; pwd',
        },
        {
          name: 'config',
          type: 'container',
          config: {
            image: busybox,
            container: {
              user: '65534',
              WorkingDir: '/etc',
              Hostname: 'boxed',
              env: ['A=${DAG_RUN_STEP_NAME}'],
            },
            host: { ...host, autoRemove: true },
          },
          script: 'id -un; pwd; hostname; echo $A',
        },
      ],
    });
    expect(stdout('field')).toBe('nobody\n/tmp\n');
    expect(stdout('config')).toBe('nobody\n/etc\nboxed\nconfig\n');
    expect(await engine().containers()).toEqual([]);
  });

  test('has terminal output when it gets a terminal', async () => {
    const { stdout, stderr } = await runWorkflow(engine(), {
      steps: [
        {
          name: 'a',
          type: 'container',
          config: { image: busybox, host, container: { Tty: true } },
          command: ['sh', '-c', 'test -t 1 && echo terminal; echo err >&2'],
        },
      ],
    });
    expect(stdout('a')).toBe('terminal\r\nerr\r\n');
    expect(stderr('a')).toBe('');
  });

  test('stays under its name when configured', async () => {
    const { statuses } = await runWorkflow(engine(), {
      type: 'graph',
      steps: [
        { name: 'a', container: { ...container, name: 'kept-a', keepContainer: true }, command: 'true' },
        {
          name: 'b',
          type: 'container',
          config: { image: busybox, host, containerName: 'kept-b', autoRemove: false },
          command: 'true',
        },
      ],
    });
    expect(statuses).toEqual({ a: 'succeeded', b: 'succeeded' });
    expect((await engine().containers()).toSorted()).toEqual(['kept-a', 'kept-b']);
    const { end } = await runWorkflow(engine(), {
      steps: [{ name: 'a', container: { ...container, containerName: 'kept-a' }, command: 'true' }],
    });
    expect(end('a').error).toBe('Container "kept-a" already exists. Remove it, or use another name.');
    engine().podman('rm', 'kept-a', 'kept-b');
  });

  test('explains a failed start, and leaves nothing behind', async () => {
    const { end } = await runWorkflow(engine(), {
      steps: [{ name: 'a', container, command: 'no-such-program' }],
    });
    expect(end('a').error).toMatch(/Cannot start the container: preparing container.*no-such-program/);
    expect(await engine().containers()).toEqual([]);
  });

  test('masks secrets in its output and error', async () => {
    const { stdout, end } = await runWorkflow(engine(), {
      env: [{ SECRET_SOURCE: 'x' }],
      secrets: [{ name: 'TOKEN', provider: 'file', key: writeSecret('s3cr3t-token') }],
      steps: [
        { name: 'a', container, command: ['sh', '-c', 'echo "${TOKEN}"; echo "${TOKEN}" >&2; exit 1'] },
      ],
    });
    expect(stdout('a')).not.toContain('s3cr3t');
    expect(end('a').error).toMatch(/^exit code 1: /);
    expect(end('a').error).not.toContain('s3cr3t');
  });

  test('is created again for each attempt and each item', async () => {
    const { stdout, view } = await runWorkflow(engine(), {
      steps: [
        {
          name: 'retried',
          container,
          script: 'test ! -e /mark; touch /mark; exit 1',
          retryPolicy: { limit: 1, intervalSec: 0 },
          continueOn: 'failed',
        },
        { name: 'items', container, command: ['echo', 'got ${ITEM}'], parallel: ['x', 'y'], output: 'ITEMS' },
      ],
    });
    expect(stdout('retried')).toBe('');
    expect(view.steps[0]!.attempts.map(({ exitCode }) => exitCode)).toEqual([1, 1]);
    expect(JSON.stringify(view.outputs)).toContain('got x');
    expect(await engine().containers()).toEqual([]);
  });

  test('streams large output completely', async () => {
    const { stdout } = await runWorkflow(engine(), {
      steps: [{ name: 'a', container, command: 'seq 1 300000' }],
    });
    const text = stdout('a');
    expect(text.length).toBe(1_988_895);
    expect(text.endsWith('\n299999\n300000\n')).toBe(true);
  });
});

function writeSecret(text: string): string {
  const file = join(makeTemporaryFolder(), 'secret');
  writeFileSync(file, text);
  return file;
}
