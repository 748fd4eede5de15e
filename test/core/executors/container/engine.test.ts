import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { labels } from '../../../../core/executors/container/managed-containers.ts';
import { listAddresses } from '../../../../core/executors/container/engine.ts';
import { getCurrentProcess } from '../../../../core/process/process-table.ts';
import { busybox, describeWithContainers } from '../../../harness/servers/containers.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';
import { TestEngine } from '../../../harness/engine.ts';
import { runWorkflow, toFinishedRun } from '../step-harness.ts';

describe('container engine discovery', () => {
  const names = (env: Record<string, string>, platform: NodeJS.Platform = 'linux'): string[] =>
    listAddresses(env, platform).map(({ name }) => name);

  test('checks the usual sockets of Docker and Podman', () => {
    const found = names({ HOME: '/home/u', XDG_RUNTIME_DIR: '/run/user/7' });
    for (const name of [
      '/var/run/docker.sock',
      '/run/podman/podman.sock',
      '/run/user/7/docker.sock',
      '/run/user/7/podman/podman.sock',
      '/home/u/.docker/run/docker.sock',
    ])
      expect(found).toContain(name);
    expect(names({}, 'win32')).toContain('//./pipe/docker_engine');
  });

  test('uses only the address in the variable', () => {
    expect(names({ DOCKER_HOST: 'unix:///a/b.sock' })).toEqual(['/a/b.sock']);
    expect(names({ DOCKER_HOST: '/a/b.sock' })).toEqual(['/a/b.sock']);
    expect(names({ CONTAINER_HOST: 'unix:///c.sock', DOCKER_HOST: 'unix:///d.sock' })).toEqual(['/d.sock']);
    expect(names({ ENGINE_CONTAINER_HOST: 'unix:///e.sock', DOCKER_HOST: 'unix:///d.sock' })).toEqual([
      '/e.sock',
    ]);
    expect(names({ DOCKER_HOST: 'npipe:////./pipe/other' }, 'win32')).toEqual(['//./pipe/other']);
  });

  test('uses TCP, with TLS on request', () => {
    const folder = makeTemporaryFolder();
    for (const file of ['ca', 'cert', 'key']) writeFileSync(join(folder, `${file}.pem`), file);
    const options = (env: Record<string, string>) => listAddresses(env)[0]!.options;
    expect(options({ DOCKER_HOST: 'tcp://box:99' })).toEqual({ protocol: 'http', host: 'box', port: 99 });
    expect(options({ DOCKER_HOST: 'tcp://box' })).toEqual({ protocol: 'http', host: 'box', port: 2375 });
    expect(options({ DOCKER_HOST: 'tcp://box', DOCKER_TLS_VERIFY: '1', DOCKER_CERT_PATH: folder })).toEqual({
      protocol: 'https',
      host: 'box',
      port: 2376,
      ca: Buffer.from('ca'),
      cert: Buffer.from('cert'),
      key: Buffer.from('key'),
    });
    expect(options({ DOCKER_HOST: 'tcp://box:2376', HOME: folder })).toMatchObject({ protocol: 'https' });
  });

  test('explains an invalid address', () => {
    expect(() => listAddresses({ DOCKER_HOST: 'nonsense' })).toThrow(
      'Invalid container engine address "nonsense" in DOCKER_HOST. Use unix:///path/of/the.sock or tcp://host:port.',
    );
    expect(() => listAddresses({ DOCKER_HOST: 'ssh://u@h' })).toThrow('Forward the socket');
  });

  test('lists what was tried when there is no engine', async () => {
    const folder = makeTemporaryFolder();
    const steps = `steps: [{name: a, container: {image: x}, command: "true"}]`;
    const named = toFinishedRun(
      await new TestEngine().run(`env: [{DOCKER_HOST: 'unix://${folder}/no.sock'}]\n${steps}`),
    );
    expect(named.end('a').error).toBe(
      `Cannot connect to the container engine of DOCKER_HOST: ${folder}/no.sock (socket not found). Start the engine, or fix DOCKER_HOST.`,
    );
  });
});

describeWithContainers('containers left behind', (engine) => {
  const leave = (name: string, owner: object): void => {
    const label = `${labels.owner}=${JSON.stringify(owner)}`;
    engine().podman(
      'run',
      '--detach',
      '--name',
      name,
      '--network',
      'none',
      '--label',
      label,
      busybox,
      'sleep',
      '1000',
    );
  };

  test('by a killed engine process are removed by the next run of that workflow only', async () => {
    const child = spawn('sleep', ['1000']);
    const gone = { ...getCurrentProcess(Date.now()), pid: child.pid! };
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    leave('gone', gone);
    leave('rebooted', { ...getCurrentProcess(Date.now()), bootId: 'before' });
    leave('living', getCurrentProcess(Date.now()));
    leave('elsewhere', { ...gone, host: 'another machine' });
    const { view } = await runWorkflow(engine(), {
      steps: [{ name: 'a', container: { image: busybox, network: 'none' }, command: 'true' }],
    });
    expect(view.status).toBe('succeeded');
    expect((await engine().containers()).toSorted()).toEqual(['elsewhere', 'living']);
    engine().podman('rm', '--all', '--force', '--time', '0');
  });

  test('are found by label', async () => {
    const { view } = await runWorkflow(engine(), {
      name: 'labelled',
      steps: [
        {
          name: 'a',
          type: 'docker',
          config: { image: busybox, containerName: 'seen', autoRemove: false, host: { NetworkMode: 'none' } },
          command: 'true',
        },
      ],
    });
    const { Config } = await engine().docker.getContainer('seen').inspect();
    expect(Config.Labels).toMatchObject({
      [labels.dag]: 'labelled',
      [labels.run]: view.dagRunId,
      [labels.step]: 'a',
    });
    expect(Config.Labels[labels.owner]).toBeUndefined();
    engine().podman('rm', 'seen');
  });

  test('a container engine that stops while a command runs fails the step', async () => {
    const folder = makeTemporaryFolder();
    mkdirSync(join(folder, 'out'));
    const host = new TestEngine();
    const run = await host.start(
      `env: [{DOCKER_HOST: '${engine().host}'}]\nsteps: [{name: a, container: {image: '${busybox}', network: none}, script: "echo begun; sleep 1000"}]`,
    );
    await host.untilRun(run, (view) => {
      try {
        return toFinishedRun(view).stdout('a') === 'begun\n';
      } catch {
        return false;
      }
    });
    await engine().stop();
    const { statuses } = toFinishedRun(await host.end(run));
    expect(statuses).toEqual({ a: 'failed' });
    await engine().begin();
    engine().podman('rm', '--all', '--force', '--time', '0');
  });
});
