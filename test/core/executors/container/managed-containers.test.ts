import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Docker from 'dockerode';
import { expect, onTestFinished, test } from 'vitest';
import { removeContainer } from '../../../../core/executors/container/managed-containers.ts';

/** A container engine that responds to deletions with these statuses; returns the requests it receives. */
async function startEngine(statuses: number[]): Promise<{ docker: Docker; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer(({ method, url = '' }, response) => {
    requests.push(`${method} ${url.replace(/\?.*/, '')}`);
    response.writeHead(method === 'DELETE' ? statuses.shift()! : 200, { 'content-type': 'application/json' });
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return { docker: new Docker({ protocol: 'http', host: '127.0.0.1', port }), requests };
}

const [kill, wait, remove] = ['POST /containers/a/kill', 'POST /containers/a/wait', 'DELETE /containers/a'];

test.each([
  ['once', [204], [kill, remove]],
  [
    'again when its end is over, if the engine is still stopping it',
    [409, 204],
    [kill, remove, wait, remove],
  ],
  ['without an error if the engine is deleting it', [409, 404], [kill, remove, wait, remove]],
  ['without an error if it is missing', [404], [kill, remove]],
])('a container is deleted %s', async (_what, statuses, expected) => {
  const { docker, requests } = await startEngine(statuses);
  await removeContainer(docker, 'a');
  expect(requests).toEqual(expected);
});

test('an error of the engine is reported', async () => {
  const { docker } = await startEngine([500]);
  await expect(removeContainer(docker, 'a')).rejects.toThrow(/500/);
});
