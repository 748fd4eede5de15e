import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  PullProgress,
  findRegistry,
  withDefaultTag,
  findLogin,
} from '../../../../core/executors/container/images.ts';
import { evaluateSpec } from '../../../../core/executors/container/settings.ts';
import { makeTemporaryFolder } from '../../../harness/resources.ts';

const expand = (text: string): Promise<string> => Promise.resolve(text.replace('${PORT}', '8080'));

test('volumes, ports and the restart policy use the engine’s terms', async () => {
  const workingDir = makeTemporaryFolder();
  const { raw } = await evaluateSpec(
    {
      env: [],
      volumes: ['./data:/data', '/srv:/srv:ro', 'cache:/cache'],
      ports: ['${PORT}:80', '127.0.0.1::81', '53/udp', '[::1]:9:80'],
      restartPolicy: 'always',
    },
    { env: {}, expand, workingDir },
  );
  expect(raw).toEqual({
    ExposedPorts: { '80/tcp': {}, '81/tcp': {}, '53/udp': {} },
    HostConfig: {
      Binds: [`${workingDir}/data:/data`, '/srv:/srv:ro', 'cache:/cache'],
      PortBindings: {
        '80/tcp': [{ HostPort: '8080' }, { HostIp: '::1', HostPort: '9' }],
        '81/tcp': [{ HostIp: '127.0.0.1', HostPort: '' }],
        '53/udp': [{ HostPort: '' }],
      },
      RestartPolicy: { Name: 'always' },
    },
  });
  expect(existsSync(join(workingDir, 'data'))).toBe(true);
});

test('expanded values are validated', async () => {
  const none = { env: [], volumes: [], ports: [] };
  const around = { env: {}, expand: () => Promise.resolve('nonsense'), workingDir: '/' };
  await expect(evaluateSpec({ ...none, volumes: ['${V}'] }, around)).rejects.toThrow(
    'Use SOURCE:TARGET with an absolute TARGET in the container, such as "./data:/data" or "cache:/cache:ro".',
  );
  await expect(evaluateSpec({ ...none, ports: ['${P}'] }, around)).rejects.toThrow('Use HOST:CONTAINER');
  await expect(evaluateSpec({ ...none, pullPolicy: '${P}' }, around)).rejects.toThrow(
    'Unknown pull policy "nonsense"',
  );
});

test.each([
  ['alpine', 'docker.io', 'alpine:latest'],
  ['user/tool:2', 'docker.io', 'user/tool:2'],
  ['localhost/a', 'localhost', 'localhost/a:latest'],
  ['host:5000/a/b', 'host:5000', 'host:5000/a/b:latest'],
  ['ghcr.io/a/b@sha256:00', 'ghcr.io', 'ghcr.io/a/b@sha256:00'],
])('%s comes from %s, as %s', (image, registry, tagged) => {
  expect(findRegistry(image)).toBe(registry);
  expect(withDefaultTag(image)).toBe(tagged);
});

test('finds the login for Docker Hub by each of its names', async () => {
  for (const host of ['docker.io', 'https://index.docker.io/v1/', 'registry-1.docker.io'])
    expect(await findLogin({ [host]: { password: 'p' } }, 'alpine', expand)).toEqual({
      username: 'token',
      password: 'p',
      serveraddress: 'https://index.docker.io/v1/',
    });
  expect(await findLogin({ 'docker.io': { password: 'p' } }, 'ghcr.io/a/b', expand)).toBeUndefined();
});

test('condenses thousands of pull messages to a line for each layer, and one every few seconds', () => {
  const lines: string[] = [];
  let now = 0;
  const progress = new PullProgress(
    (line) => lines.push(line),
    () => now,
  );
  progress.add({ status: 'Pulling from library/alpine', id: '3' });
  for (let current = 0; current <= 1_000_000; current += 1000) {
    now += 10;
    progress.add({
      status: 'Downloading',
      id: 'abcdef123456',
      progressDetail: { current, total: 1_000_000 },
    });
  }
  progress.add({ status: 'Download complete', id: 'abcdef123456' });
  progress.add({ status: 'Pull complete', id: 'abcdef123456' });
  progress.add({ status: 'Digest: sha256:00' });
  expect(lines).toEqual([
    'Downloading (0 of 1 layers, 0.5 MB)',
    'Downloading (0 of 1 layers, 1.0 MB)',
    'Download complete: layer abcdef123456 (1 of 1 layers, 1.0 MB)',
    'Digest: sha256:00',
  ]);
});
