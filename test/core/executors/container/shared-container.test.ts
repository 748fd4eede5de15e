import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { busybox, describeWithContainers } from '../../../harness/servers/containers.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { runWorkflow } from '../step-harness.ts';

const container = { image: busybox, network: 'none' };

describeWithContainers('container of a workflow', (engine) => {
  test('is shared by all steps and handlers without a type, and is removed with the run', async () => {
    const { statuses, stdout, end } = await runWorkflow(engine(), {
      container: { ...container, env: ['GREETING=hello'], workingDir: '/tmp' },
      handlerOn: { exit: { command: 'cat mark' } },
      steps: [
        { name: 'make', script: 'echo "$GREETING from $(pwd)" > mark' },
        { name: 'look', command: 'cat /tmp/mark' },
        {
          name: 'here',
          type: 'command',
          command: 'echo $(uname -n) >/dev/null; test ! -e /tmp/mark && echo here',
        },
        { name: 'fails', command: ['sh', '-c', 'echo broken >&2; exit 7'], continueOn: 'failed' },
        { name: 'named', type: 'container', command: 'cat mark' },
        { name: 'words', command: 'echo a && echo b' },
      ],
    });
    expect(stdout('look')).toBe('hello from /tmp\n');
    expect(stdout('named')).toBe('hello from /tmp\n');
    expect(stdout('onExit')).toBe('hello from /tmp\n');
    expect(stdout('here')).toBe('here\n');
    expect(stdout('words')).toBe('a && echo b\n');
    expect(end('fails')).toMatchObject({ exitCode: 7, error: 'exit code 7: broken' });
    expect(statuses).toMatchObject({ fails: 'failed', onExit: 'succeeded' });
    expect(await engine().containers()).toEqual([]);
  });

  test('is created once for concurrent steps', async () => {
    const { view, stdout } = await runWorkflow(engine(), {
      container,
      type: 'graph',
      steps: ['a', 'b', 'c'].map((name) => ({ name, command: 'hostname' })),
    });
    expect(view.status).toBe('succeeded');
    expect(new Set(['a', 'b', 'c'].map(stdout)).size).toBe(1);
  });

  test('can run its own program, and steps wait until its log matches a pattern', async () => {
    engine().addImage(
      'localhost/service:1',
      'ENTRYPOINT ["/bin/sh", "-c", "echo starting; sleep 0.3; echo up > /tmp/up; echo ready 1; exec sleep 1000"]',
    );
    const own = await runWorkflow(engine(), {
      container: {
        image: 'localhost/service:1',
        network: 'none',
        startup: 'entrypoint',
        logPattern: '^ready [0-9]$',
      },
      maxCleanUpTimeSec: 0,
      steps: [{ name: 'a', command: 'cat /tmp/up' }],
    });
    expect(own.stdout('a')).toBe('up\n');
    const given = await runWorkflow(engine(), {
      container: {
        ...container,
        startup: 'command',
        command: [
          'sh',
          '-c',
          'sleep 0.2; echo up > /tmp/up; echo ready; trap "exit 0" TERM; while :; do sleep 0.1; done',
        ],
        logPattern: 'ready',
        waitFor: 'healthy',
      },
      steps: [{ name: 'a', command: 'cat /tmp/up' }],
    });
    expect(given.stdout('a')).toBe('up\n');
    expect(await engine().containers()).toEqual([]);
  });

  test('is awaited until it is healthy', async () => {
    const folder = makeTemporaryFolder();
    const { statuses, end } = await runWorkflow(engine(), {
      workingDir: folder,
      steps: [
        {
          name: 'ends',
          container: {
            ...container,
            startup: 'command',
            command: ['sh', '-c', 'echo no good; exit 4'],
            waitFor: 'healthy',
            logPattern: 'never',
          },
          command: 'true',
        },
      ],
    });
    expect(statuses).toEqual({ ends: 'failed' });
    expect(end('ends').error).toBe(
      'The container exited before it was ready, with exit code 4; output: no good',
    );
    expect(await engine().containers()).toEqual([]);
  });

  test('fails steps after its end, with its last output', async () => {
    const { end } = await runWorkflow(engine(), {
      container: {
        ...container,
        startup: 'command',
        command: ['sh', '-c', 'echo gone; while test ! -e /tmp/end; do sleep 0.05; done; exit 5'],
      },
      steps: [
        { name: 'ends', script: 'touch /tmp/end; sleep 1', continueOn: 'failed' },
        { name: 'late', command: 'true' },
      ],
    });
    expect(end('late').error).toBe('The container exited with exit code 5; output: gone');
  });

  test('can stay, and the next run uses it again', async () => {
    const fields = {
      container: { ...container, name: 'workshop', keepContainer: true },
      steps: [{ name: 'a', script: 'echo x >> /tmp/times; wc -l < /tmp/times' }],
    };
    expect((await runWorkflow(engine(), fields)).stdout('a')).toBe('1\n');
    engine().podman('stop', '--time', '0', 'workshop');
    expect((await runWorkflow(engine(), fields)).stdout('a')).toBe('2\n');
    const other = { ...fields, container: { ...fields.container, user: 'nobody' } };
    expect((await runWorkflow(engine(), other)).end('a').error).toMatch(
      /Container "workshop" already exists\. Remove it, or use another name\./,
    );
    engine().podman('rm', '--force', '--time', '0', 'workshop');
  });

  test('can be an existing one, which is left running', async () => {
    engine().podman('run', '--detach', '--name', 'there', '--network', 'none', busybox, 'sleep', '1000');
    const { stdout, end } = await runWorkflow(engine(), {
      container: { containerName: 'there', user: 'nobody', workingDir: '/tmp', env: { A: 'a' } },
      steps: [
        { name: 'a', script: 'id -un; pwd; echo $A' },
        {
          name: 'b',
          type: 'docker',
          config: { containerName: 'there', exec: { user: '65534', env: ['B=b'], workingDir: '/etc' } },
          script: 'id -un; pwd; echo $B; ls -a / | grep -c step',
        },
        { name: 'c', type: 'docker', config: { containerName: 'nowhere' }, command: 'true' },
      ],
    });
    expect(stdout('a')).toBe('nobody\n/tmp\na\n');
    expect(stdout('b')).toBe('nobody\n/etc\nb\n1\n');
    expect(end('c').error).toMatch(/^Container "nowhere" not found on the container engine/);
    expect(await engine().containers()).toEqual(['there']);
    engine().podman('rm', '--force', '--time', '0', 'there');
  });

  test('accepts a restart policy', async () => {
    const folder = makeTemporaryFolder();
    await runWorkflow(engine(), {
      workingDir: folder,
      container: {
        image: busybox,
        name: 'published',
        network: 'none',
        restartPolicy: 'unless-stopped',
        volumes: ['.:/out'],
      },
      steps: [
        { name: 'a', command: 'true' },
        {
          name: 'look',
          type: 'command',
          command: `${inspectCommand(engine().folder)} published > seen.json`,
        },
      ],
    });
    const [seen] = JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8')) as {
      HostConfig: { RestartPolicy: unknown };
    }[];
    expect(seen!.HostConfig.RestartPolicy).toMatchObject({ Name: 'unless-stopped' });
  });
});

const inspectCommand = (folder: string): string =>
  `podman --root ${folder}/storage --runroot ${folder}/run --tmpdir ${folder}/tmp --storage-driver vfs inspect`;
