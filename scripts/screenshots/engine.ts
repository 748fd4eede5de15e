import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFinal, type RunStatus } from '../../core/model/run.ts';
import { OUTPUT_FOLDER } from '../setup/run-command.mjs';

const engineFile = join(OUTPUT_FOLDER, 'cli/engine.js');

/** A process of the built `engine` that runs until it is stopped. */
export interface Program {
  /** The line that it prints when ready. */
  readonly line: string;
  end(): Promise<void>;
}

/**
 * Starts `engine WORDS…` on a home directory and waits until it prints that it is ready.
 * @throws Error when it ends before
 */
export async function startProgram(
  home: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Program> {
  const child = spawn(process.execPath, [engineFile, ...args], {
    cwd: home,
    env: { ...process.env, ENGINE_HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for await (const line of createInterface({ input: child.stdout })) {
    if (!/https?:\/\/\S+|Stepwright worker .* started/.test(line)) continue;
    child.stdout.resume();
    return {
      line,
      async end() {
        child.kill('SIGTERM');
        await ended;
      },
    };
  }
  throw new Error(`engine ${args[0]} has ended before it was ready`);
}

/** Runs `engine WORDS…` to its end. @param input its standard input */
export async function runProgram(home: string, args: readonly string[], input: string): Promise<void> {
  const child = spawn(process.execPath, [engineFile, ...args], {
    env: { ...process.env, ENGINE_HOME: home },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(input);
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`engine ${args.slice(0, 2).join(' ')} has failed`);
}

/**
 * Runs a function with a temporary home directory.
 * @param withSamples whether it has the samples of a new installation
 */
export async function withHome(withSamples: boolean, act: (home: string) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'stepwright-'));
  // An existing workflow directory gets no samples.
  if (!withSamples) mkdirSync(join(home, 'dags'));
  try {
    await act(home);
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

export interface Run {
  readonly name: string;
  readonly dagRunId: string;
}

/** A minimal API client for the screenshots. */
export class Engine {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /** @param line the line in which a server prints its address */
  static at(line: string): Engine {
    const [url] = /https?:\/\/\S+/.exec(line) ?? [];
    if (url === undefined) throw new Error(`no address is in "${line}"`);
    return new Engine(url);
  }

  start(fileName: string, params: string): Promise<Run> {
    return this.#call<Run>(`/dags/${fileName}/start`, { params });
  }

  create(name: string, spec: string): Promise<unknown> {
    return this.#call('/dags', { name, spec });
  }

  /** Adds a webhook to a receiver of the same engine and delivers some push events. */
  async addWebhook(): Promise<void> {
    const secret = 'between us';
    const receiver = { name: 'forge', secrets: [secret], scheme: 'platform' };
    const { url } = await this.#call<{ url: string }>('/webhooks/receivers', receiver);
    const hook = { url, secret, events: ['push'], options: { allowPrivate: true } };
    await this.#call('/webhooks/hooks', hook);
    for (const branch of ['main', 'colours', 'main'])
      await this.#call('/webhooks/events', { event: 'push', payload: { ref: `refs/heads/${branch}` } });
  }

  /** Creates a join token for workers. @returns its secret */
  async addJoinToken(note: string): Promise<string> {
    return (await this.#call<{ secret: string }>('/join-tokens', { note })).secret;
  }

  /** Answers a run's approval once it is open. */
  async answer({ dagRunId }: Run, answer: object): Promise<void> {
    await until(async () => {
      const path = `/approvals?decision=open&dagRunId=${dagRunId}`;
      const { approvals } = await this.#call<{ approvals: readonly { id: string }[] }>(path);
      if (approvals[0]) await this.#call(`/approvals/${approvals[0].id}/answer`, answer);
      return approvals.length > 0;
    });
  }

  enqueue(fileName: string): Promise<Run> {
    return this.#call<Run>(`/dags/${fileName}/enqueue`, {});
  }

  async runToEnd(fileName: string, params: string): Promise<Run> {
    const run = await this.start(fileName, params);
    await this.waitForEnd(run);
    return run;
  }

  async waitForEnd({ name, dagRunId }: Run): Promise<void> {
    await until(async () => {
      const { status } = await this.#call<{ status: RunStatus }>(`/dag-runs/${name}/${dagRunId}`);
      return isFinal(status);
    });
  }

  async countLogLines({ name, dagRunId }: Run, step: string): Promise<number> {
    const path = `/dag-runs/${name}/${dagRunId}/steps/${encodeURIComponent(step)}/log`;
    return (await this.#call<{ totalLines?: number }>(path)).totalLines ?? 0;
  }

  async #call<Reply>(path: string, body?: unknown): Promise<Reply> {
    const response = await fetch(`${this.url}/api/v2${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    });
    // An object that is read may not exist yet.
    if (body !== undefined && !response.ok) throw new Error(`${path} is refused: ${await response.text()}`);
    return (await response.json()) as Reply;
  }
}

/** Polls until a condition holds, for seconds if needed. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(50);
}
