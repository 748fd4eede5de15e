import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runContainer, type ContainerRequest } from '../../../../core/executors/container/run-container.ts';
import { RunResources } from '../../../../core/executors/resources.ts';
import type { StepContext } from '../../../../core/executors/executor.ts';
import { systemClock } from '../../../../core/base/system-clock.ts';
import {
  busybox,
  type TestContainerEngine,
  describeWithContainers,
} from '../../../harness/servers/containers.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

/** Runs a container for a step of no workflow. */
async function run(engine: TestContainerEngine, request: ContainerRequest) {
  const written = { stdout: '', stderr: '' };
  const never = new AbortController().signal;
  const resources = new RunResources();
  const context = {
    env: { DOCKER_HOST: engine.host },
    step: { name: 'a', env: [] },
    clock: systemClock,
    expand: (text: string) => Promise.resolve(text),
    maskSecrets: () => {},
    resources,
  } as unknown as StepContext;
  const end = await runContainer(
    context,
    {
      signal: never,
      killing: never,
      output: {
        stdout: (text) => void (written.stdout += text),
        stderr: (text) => void (written.stderr += text),
        write: (name, bytes) => {
          written[name] += Buffer.from(bytes).toString();
          return Promise.resolve();
        },
        close: () => Promise.resolve(undefined),
      },
    },
    request,
  );
  await resources.close();
  return { ...end, ...written };
}

describeWithContainers('one container, run to its end', (engine) => {
  test('with entrypoint, arguments, variables, volume and directory', async () => {
    const source = makeTemporaryFolder();
    writeFileSync(join(source, 'text'), 'from here');
    const result = await run(engine(), {
      image: busybox,
      entrypoint: ['sh', '-c', 'echo "$0 $A $(pwd)"; cat /in/text; ! touch /in/no'],
      args: ['arg'],
      env: { A: 'a b' },
      mounts: [{ source, target: '/in', readOnly: true }],
      workingDir: '/tmp',
    });
    expect(result).toMatchObject({ exitCode: 0, stdout: 'arg a b /tmp\nfrom here' });
  });

  test('with an image that is built for it and deleted afterwards, without files in .dockerignore', async () => {
    const folder = makeTemporaryFolder();
    mkdirSync(join(folder, 'files'));
    writeFileSync(join(folder, 'files/kept'), 'kept');
    writeFileSync(join(folder, 'files/left'), 'left');
    writeFileSync(join(folder, '.dockerignore'), 'files/left\n');
    writeFileSync(
      join(folder, 'Dockerfile'),
      `FROM ${busybox}\nCOPY files /files\nENTRYPOINT ["sh", "-c", "ls /files; echo $0"]\n`,
    );
    const before = await engine().docker.listImages();
    const result = await run(engine(), { image: { folder }, args: ['given'] });
    expect(result.error).toBeUndefined();
    expect(result.stdout).toBe('kept\ngiven\n');
    expect(result.stderr).toMatch(/COPY files/);
    expect(await engine().docker.listImages()).toEqual(before);
    const named = await run(engine(), { image: { folder, tag: 'localhost/made:1' } });
    expect(named.exitCode).toBe(0);
    engine().podman('rmi', 'localhost/made:1');
  });

  test('reports a failed build', async () => {
    const folder = makeTemporaryFolder();
    await expect(run(engine(), { image: { folder } })).rejects.toThrow(
      `Cannot build an image: Dockerfile not found in ${folder}`,
    );
    writeFileSync(join(folder, 'Dockerfile'), `FROM ${busybox}\nCOPY missing /\n`);
    await expect(run(engine(), { image: { folder } })).rejects.toThrow(
      /Cannot build an image from .*missing/,
    );
  });
});
