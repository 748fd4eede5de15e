import { expect } from 'vitest';
import { checkHome, checkFireTimes } from './rig/check-home.ts';
import { type FaultTestHome, type Host, withFaultTestHome } from './rig/fault-home.ts';
import { type Random, close, createRandom, serve, waitFor, signalMarked } from './rig/kill.ts';

/** Length and seed of a soak test. */
export interface SoakPlan {
  readonly seed: number;
  readonly seconds: number;
}

const chain = (random: Random): string =>
  Array.from({ length: random.between(1, 4) }, (_, index) => {
    const kind = random.pick(['plain', 'slow', 'flaky', 'items', 'sub'] as const);
    const name = `${kind}${index}`;
    const step = `  - name: ${name}\n`;
    if (kind === 'plain') return `${step}    command: EFFECT; echo value\n    output: OUT${index}\n`;
    if (kind === 'slow') return `${step}    command: EFFECT; sleep 0.${random.between(1, 9)}\n`;
    if (kind === 'items')
      return `${step}    parallel: { items: [a, b, c], maxConcurrent: 2 }\n    command: EFFECT\n`;
    if (kind === 'sub') return `${step}    run: below\n`;
    return `${step}    command: EFFECT; exit ${random.between(0, 1)}\n    retryPolicy: { limit: 2, intervalSec: 0 }\n`;
  }).join('');

function saveWorkflows(home: FaultTestHome, random: Random, count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `flow${index}`;
    const handlers = 'handlerOn: { init: EFFECT, success: EFFECT, failure: EFFECT, exit: EFFECT }\n';
    const below = '---\nname: below\nsteps:\n  - { name: inner, command: EFFECT }\n';
    home.save(name, `queue: soak\nmaxActiveRuns: -1\nsteps:\n${chain(random)}${handlers}${below}`);
    return name;
  });
}

const hostArgs = [
  ['start-all', '--port', '0'],
  ['scheduler', '--port', '0'],
  ['server', '--port', '0'],
  ['recover', '--quiet'],
] as const;

/** The state of a home during a soak test. */
class Soak {
  readonly #home: FaultTestHome;
  readonly #random: Random;
  readonly #names: readonly string[];
  readonly #hosts = new Set<Host>();
  /** Ids of acknowledged runs, which must exist in the end. */
  readonly #promised: string[] = [];
  #asked = 0;

  constructor(home: FaultTestHome, random: Random) {
    this.#home = home;
    this.#random = random;
    home.shorten({ hostBeat: 500, hostLease: 3000, serviceLease: 3000, serviceRenewal: 600 });
    this.#names = saveWorkflows(home, random, 6);
    home.configure(
      'scheduler: { zombieDetectionInterval: 1s }\nqueues: { config: [{ name: soak, maxConcurrency: 3 }] }\n',
    );
    home.save(
      'tick',
      'schedule: "*/2 * * * * *"\noverlap: allow\nmaxActiveRuns: -1\nsteps:\n  - { name: tick, command: EFFECT }\n',
    );
  }

  /** An action of users, programs or faults. */
  act(): void {
    const random = this.#random;
    const roll = random.between(1, 10);
    if (this.#hosts.size < 2 || roll <= 2) return void this.#begin(random.pick(hostArgs));
    if (roll <= 4) return this.#ask(['start', random.pick(this.#names), '--quiet']);
    if (roll <= 6) return this.#ask(['enqueue', random.pick(this.#names), '--quiet']);
    const victim = random.pick([...this.#hosts]);
    if (roll <= 8) return victim.kill('SIGKILL');
    if (roll === 9) return this.#halt(victim);
    const supervisors = this.#home.processes().filter(({ command }) => command.includes('supervisor'));
    if (supervisors.length > 0) signalMarked(random.pick(supervisors), 'SIGKILL');
  }

  get hasAccepted(): boolean {
    return this.#promised.length > 0;
  }

  /** Completes everything with a host that is left alone. */
  async settle(): Promise<void> {
    for (const host of this.#hosts) {
      host.kill('SIGCONT');
      host.kill('SIGKILL');
    }
    this.#home.save('tick', 'steps:\n  - { name: tick, command: EFFECT }\n');
    await Promise.all([...this.#hosts].map(({ ended }) => ended));
    const last = await serve(this.#home, ['start-all', '--port', '0']);
    const open = 'SELECT 1 FROM run WHERE finished_at IS NULL';
    await waitFor('the ends of all runs', async () => (await this.#home.query(open)).length === 0, 120_000);
    await close(last);
  }

  /** Acknowledged runs that are missing, and the number of runs. */
  async count(): Promise<{
    readonly lost: readonly string[];
    readonly asked: number;
    readonly made: number;
  }> {
    const ids = await this.#home.query<{ id: string }>('SELECT run_id AS id FROM run WHERE is_sub = 0');
    const made = new Set(ids.map(({ id }) => id));
    return { lost: this.#promised.filter((id) => !made.has(id)), asked: this.#asked, made: made.size };
  }

  #ask(words: readonly string[]): void {
    this.#asked += 1;
    const id = `soak-${this.#asked}`;
    const host = this.#begin([...words, '--run-id', id, '--default-working-dir', '.']);
    void host.ended.then(({ code }) => code === 0 && this.#promised.push(id));
  }

  #begin(words: readonly string[]): Host {
    const host = this.#home.start(words);
    this.#hosts.add(host);
    void host.ended.then(() => this.#hosts.delete(host));
    return host;
  }

  /** Mostly briefly, sometimes for longer than a lease. */
  #halt(host: Host): void {
    host.kill('SIGSTOP');
    const seconds = this.#random.between(1, 5) === 1 ? 5 : this.#random.between(1, 20) / 10;
    setTimeout(() => host.kill('SIGCONT'), seconds * 1000).unref();
  }
}

/**
 * Starts and ends hosts of one home, by SIGKILL and SIGSTOP at random times, and checks the home at the end.
 */
export async function soak({ seed, seconds }: SoakPlan): Promise<void> {
  await withFaultTestHome(async (home) => {
    const random = createRandom(seed);
    const soaking = new Soak(home, random);
    const end = performance.now() + seconds * 1000;
    // On a busy machine, no run may have been accepted by then.
    while (performance.now() < end || !soaking.hasAccepted) {
      soaking.act();
      await new Promise((resolve) => setTimeout(resolve, random.between(20, 600)));
    }
    await soaking.settle();
    await checkHome(home);
    await checkFireTimes(home);
    const { lost, asked, made } = await soaking.count();
    console.log(`soak: seed ${seed}, ${seconds} s, ${asked} runs asked for, ${made} made`);
    expect(lost, 'runs that were promised and are not there').toEqual([]);
    expect(made).toBeGreaterThan(0);
  });
}
