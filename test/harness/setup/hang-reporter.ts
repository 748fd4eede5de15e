import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { LONG_RUN } from '../../../scripts/setup/test-selection.mjs';

/** A minute longer than the timeout of any test. */
const defaultTimeoutMs = 11 * 60_000;

/** A test run of hours is watched by a person. */
const longRuns = Object.keys(LONG_RUN);

/** Stopped together with Vitest: the periodic check. */
const isOurs = /^vitest-watchdog|watchdog\.js|^ps -A /;

/**
 * Vitest reporter that ends hanging test runs. Vitest's own timeouts are enforced by the process of a test,
 * which cannot do so while it is blocked, as by a program that it waits for; and the run would never end. If
 * nothing has finished for too long, this prints what has not, and kills the test processes: Vitest then
 * ends, as failed. The same text is written to the file in `STANDSTILL_FILE`.
 */
export default class HangReporter implements Reporter {
  readonly #timeoutMs: number;
  readonly #file = process.env['STANDSTILL_FILE'];
  readonly #open = new Set<TestModule | TestCase>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ timeoutMs = defaultTimeoutMs }: { timeoutMs?: number } = {}) {
    this.#timeoutMs = longRuns.some((name) => process.env[name] !== undefined) ? Infinity : timeoutMs;
  }

  onTestModuleQueued(testModule: TestModule): void {
    this.#begin(testModule);
  }

  onTestModuleEnd(testModule: TestModule): void {
    this.#end(testModule);
  }

  onTestCaseReady(testCase: TestCase): void {
    this.#begin(testCase);
  }

  onTestCaseResult(testCase: TestCase): void {
    this.#end(testCase);
  }

  onTestRunEnd(): void {
    clearTimeout(this.#timer);
  }

  #begin(task: TestModule | TestCase): void {
    this.#open.add(task);
    this.#timer ??= this.#wait();
  }

  #end(task: TestModule | TestCase): void {
    this.#open.delete(task);
    clearTimeout(this.#timer);
    this.#timer = this.#open.size > 0 ? this.#wait() : undefined;
  }

  #wait(): NodeJS.Timeout | undefined {
    return this.#timeoutMs === Infinity
      ? undefined
      : setTimeout(() => this.#notify(), this.#timeoutMs).unref();
  }

  #notify(): void {
    const processes = listDescendants(process.pid).filter(({ command }) => !isOurs.test(command));
    const open = [...this.#open].map((task) =>
      task.type === 'module' ? task.moduleId : `${task.module.moduleId} > ${task.fullName}`,
    );
    const lines = processes.map(({ pid, state, command }) => `  ${pid} ${state} ${command.slice(0, 200)}`);
    const text = [
      `failed: nothing has ended for ${this.#timeoutMs / 1000} s. Begun are:`,
      ...open.map((name) => `  ${name}`),
      'These processes are killed:',
      ...lines,
    ].join('\n');
    console.error(text);
    if (this.#file !== undefined) appendFileSync(this.#file, `${text}\n`);
    for (const { pid } of processes) kill(pid);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has exited with another one.
  }
}

interface FoundProcess {
  readonly pid: number;
  readonly parent: number;
  /** As printed by `ps`: R runs, S waits, T is stopped. */
  readonly state: string;
  readonly command: string;
}

function listDescendants(ancestor: number): readonly FoundProcess[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' });
  const all = table.split('\n').flatMap((line): FoundProcess[] => {
    const [, pid, parent, state, command] = /^ *(\d+) +(\d+) +(\S+) +(.*)$/.exec(line) ?? [];
    if (pid === undefined || parent === undefined || state === undefined || command === undefined) return [];
    return [{ pid: Number(pid), parent: Number(parent), state, command }];
  });
  const below = (pid: number): FoundProcess[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)]);
  return below(ancestor);
}
