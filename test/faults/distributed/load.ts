import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import type { FaultTestHome } from '../rig/fault-home.ts';
import { type Random, waitFor } from '../rig/kill.ts';

/** Starts runs on a host one after another; those that it has acknowledged. */
export class Load {
  readonly acknowledged: string[] = [];
  /** Statuses of responses without acknowledgement. */
  readonly refusals = new Set<number>();
  #asked = 0;
  #isOver = false;
  readonly #done: Promise<void>;

  /** @param url of a host */
  constructor(url: string, workflow: string, random: Random) {
    this.#done = this.#ask(`${url}/api/v2/dags/${workflow}/enqueue`, random);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#done;
  }

  /** Waits until this many more have been acknowledged. */
  async more(count: number): Promise<void> {
    const before = this.acknowledged.length;
    await waitFor('acknowledged runs', () => this.acknowledged.length >= before + count);
  }

  async #ask(url: string, random: Random): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    while (!this.#isOver) {
      const dagRunId = `load-${(this.#asked += 1)}`;
      const body = JSON.stringify({ dagRunId });
      const { ok, status } = await fetch(url, { method: 'POST', headers, body });
      if (ok) this.acknowledged.push(dagRunId);
      else this.refusals.add(status);
      await pause(random.between(20, 200));
    }
  }
}

/** Waits until all runs have finished; their statuses by id. */
export async function readEnded(home: FaultTestHome): Promise<Map<string, string>> {
  const open = 'SELECT run_id FROM run WHERE finished_at IS NULL';
  await waitFor('the ends of all runs', async () => (await home.query(open)).length === 0, 120_000);
  const runs = await home.query<{ run_id: string; status: string }>('SELECT run_id, status FROM run');
  return new Map(runs.map(({ run_id: id, status }) => [id, status]));
}

/** Two steps, which record that they were executed; in a queue. */
export const chain = `
queue: many
maxActiveRuns: -1
steps:
  - { name: a, command: 'EFFECT; sleep 0.3' }
  - { name: b, command: EFFECT }
`;

/** Checks that every acknowledged run has succeeded, each step once, and that all others got `unavailable`. */
export function expectChains(home: FaultTestHome, load: Load, ended: ReadonlyMap<string, string>): void {
  expect(load.acknowledged.filter((id) => !ended.has(id))).toEqual([]);
  expect(new Set(ended.values())).toEqual(new Set(['succeeded']));
  expect(home.ranBySteps()).toEqual({ a: ended.size, b: ended.size });
  expect([...load.refusals].filter((status) => status !== 503)).toEqual([]);
}
