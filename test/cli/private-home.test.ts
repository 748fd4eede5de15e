import { lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTestHome, runEngine, startEngine, waitForText } from '../harness/home-and-command.ts';

const all = `
steps:
  - { name: plain, command: echo a, output: A }
  - { name: script, script: echo b }
  - { name: terminal, command: tty, tty: true }
  - { name: items, parallel: [a, b], command: echo c }
  - { name: sub, run: below }
handlerOn: { exit: echo end }
---
name: below
steps: ["true"]
`;

/** Files that other users may read, write or enter. The samples are copied with their modes. */
const listShared = (home: string): string[] =>
  readdirSync(home, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith(join('dags', '/')))
    .filter((name) => (lstatSync(join(home, name)).mode & 0o077) !== 0);

it('only the owner can access what commands and the server write to a home', async () => {
  const { cwd } = makeTestHome();
  const place = { cwd, home: join(cwd, 'home') };
  writeFileSync(join(cwd, 'all.yaml'), all);
  expect(await runEngine(place, ['start', 'all.yaml'])).toMatchObject({ code: 0 });
  const server = startEngine(place, ['start-all', '--port', '0']);
  await waitForText(server.stdout, /http:/);
  expect(await runEngine(place, ['enqueue', 'sales-etl', '--', 'PACE=0'])).toMatchObject({ code: 0 });
  await waitForText(() => readdirSync(join(place.home, 'logs')).join(), /sales-etl/);
  const made = readdirSync(place.home, { recursive: true }).length;
  expect(made).toBeGreaterThan(30);
  expect(listShared(place.home)).toEqual([]);
  server.kill('SIGTERM');
  await server.ended;
  expect(listShared(place.home)).toEqual([]);
});
