import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTestHome, runEngine, saveDag, startEngine, waitForText } from '../harness/home-and-command.ts';

it('prints the address of the running server, and sends it a sample', async () => {
  const place = makeTestHome();
  saveDag(place, 'deploy', 'on:\n  webhook: { receiver: gh, event: push }\nsteps: [echo hello]\n');
  const receivers = ['webhooks', 'receivers'];
  const made = await runEngine(place, [...receivers, 'create', 'gh']);
  expect(made.stdout).toMatch(/^http:\/\/127\.0\.0\.1:8080\/webhooks\//);
  expect(made.stderr).toContain('No server of this home is running. Start it with "engine server"');
  const rejected = await runEngine(place, [...receivers, 'send-sample', 'gh']);
  expect(rejected).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('No server of this home is running'),
  });

  const server = startEngine(place, ['server', '--port', '0']);
  await waitForText(server.stdout, /ready at \S+\n/);
  const url = /ready at (\S+)/.exec(server.stdout())![1]!;
  const listed = await runEngine(place, [...receivers, 'list']);
  expect(listed.stdout).toContain(`${url}/webhooks/`);
  expect(listed.stderr).toBe('');
  const sent = await runEngine(place, [...receivers, 'send-sample', 'gh', '--event', 'push']);
  expect(sent.stdout).toMatch(/^Sent push to http\S+\n202 \{.+\}\nStarted deploy \S+\n$/);
  writeFileSync(join(place.cwd, 'star.json'), '{"action":"created"}');
  const other = await runEngine(place, [
    ...receivers,
    'send-sample',
    'gh',
    '--event',
    'star',
    '--payload',
    'star.json',
  ]);
  expect(other.stdout).toMatch(/\nNo workflow started\.\ndeploy: .+\n$/);
  server.kill('SIGTERM');
  await server.ended;
  expect((await runEngine(place, [...receivers, 'list'])).stdout).toContain('http://127.0.0.1:8080/');
});

it('creates and updates a receiver with allowed methods, and names unknown ones', async () => {
  const place = makeTestHome();
  const receivers = ['webhooks', 'receivers'];
  const wrong = await runEngine(place, [...receivers, 'create', 'probe', '--methods', 'GET,DELETE']);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('POST, GET, PUT, PATCH') });
  await runEngine(place, [...receivers, 'create', 'probe', '--scheme', 'basic', '--methods', 'put,get']);
  expect((await runEngine(place, receivers)).stdout).toMatch(/\nprobe +basic +GET,PUT +on /);
  await runEngine(place, [...receivers, 'update', 'probe', '--methods', 'POST']);
  expect((await runEngine(place, receivers)).stdout).toMatch(/\nprobe +basic +POST +on /);
});
