import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { createStore } from '../../../../core/store/open-store.ts';
import { describeOnServers, newSchemaUrl, openForTest } from '../../../harness/databases.ts';

/** Runs a program of test/programs to its end. @returns the lines that it printed */
async function runProgram(name: string, ...args: string[]): Promise<string[]> {
  const file = fileURLToPath(new URL(`../../../programs/${name}.ts`, import.meta.url));
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', complaints: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (said.out += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (said.complaints += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  expect({ code, complaints: said.complaints }).toEqual({ code: 0, complaints: '' });
  return said.out.split('\n').filter(Boolean);
}

const four = [1, 2, 3, 4];

describeOnServers('several processes on a server', (server) => {
  it('can open a new schema at the same moment and write to it', async () => {
    const url = newSchemaUrl(server());
    const keys = (await Promise.all(four.map(() => runProgram('store-writer', url, '25')))).flat();
    expect(new Set(keys).size).toBe(100);
    const store = createStore(openForTest(url));
    expect(await store.listRuns({ limit: 1000, statuses: ['running'] })).toHaveLength(100);
    expect(await store.listEvents(0, 1000)).toHaveLength(200);
  }, 60_000);

  it('start one run for each scheduled time, and claim each run once', async () => {
    const url = newSchemaUrl(server());
    const slots = 100;
    const lines = (await Promise.all(four.map(() => runProgram('store-racer', url, `${slots}`)))).flat();
    const of = (kind: string): number[] =>
      lines
        .filter((line) => line.startsWith(`${kind} `))
        .map((line) => Number(line.split(' ')[1]))
        .toSorted((left, right) => left - right);
    expect(of('slot')).toEqual(Array.from({ length: slots }, (_, index) => index));
    const store = createStore(openForTest(url));
    const runs = await store.listRuns({ limit: 1000 });
    expect(runs).toHaveLength(slots);
    expect(of('claim')).toEqual(runs.map(({ key }) => key).toSorted((left, right) => left - right));
    expect(runs.every(({ epoch, owner }) => epoch === 1 && owner !== undefined)).toBe(true);
  }, 60_000);
});
