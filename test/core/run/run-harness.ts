import { readFileSync, readdirSync, statSync, writeFileSync, existsSync, rmSync } from 'node:fs';
import path, { join } from 'node:path';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { EventView } from '../../../core/contract/logs.ts';
import type { RunRef } from '../../../core/model/run.ts';
import type { ItemOf } from '../../../core/contract/operation.ts';
import type { DryFindingView, DryPlanView, DryRunView, DryStepView } from '../../../core/contract/dry.ts';
import { openDryRuns } from '../../../core/open-dry-runs.ts';
import type { DryRunRequest, StartRequest } from '../../../core/api/engine-api.ts';
import type { OperationInput, OperationOutput } from '../../../core/contract/operations.ts';
import type { RunEvent } from '../../../core/model/run-event.ts';
import { type RunView, TestEngine, testCaller, stdoutOf } from '../../harness/engine.ts';
import { FakeClock } from '../../harness/fakes.ts';
import { makeTemporaryFolder, until } from '../../harness/resources.ts';

type RunEventView = ItemOf<{ item: typeof EventView }>;

/** Every event of an ended run, in order, as a client that resumes from the beginning gets them. */
export function eventsOf(engine: TestEngine, { name, dagRunId }: RunRef): Promise<RunEventView[]> {
  return new Promise((resolve, reject) => {
    const events: RunEventView[] = [];
    const dispose = engine.host.api.follow(
      'events.follow',
      { name, dagRunId, after: 0 },
      {
        item: (event) => {
          events.push(event);
          // The first ones arrive before `follow` has returned.
          if (event.event.type === 'run.finished') setImmediate(() => (dispose(), resolve(events)));
        },
        end: reject,
      },
      testCaller,
    );
  });
}

/** The variables that `print-env.sh` or `env` has printed; values must be single-line. */
export const toVariables = (view: RunView, name: string): Record<string, string> =>
  Object.fromEntries(
    stdoutOf(view, name)
      .split('\n')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** A dry run of a text, on a home that does not exist. */
export function dryRun(spec: string, request: Partial<DryRunRequest> = {}): Promise<DryRunView> {
  const home = path.join(makeTemporaryFolder(), 'home');
  return openDryRuns({ home, clock: new FakeClock() })({ source: { spec }, ...request });
}

/** The first plan; every test has one. */
export const planOf = (view: DryRunView): DryPlanView => view.plans[0]!;

export function dryStepOf(view: DryRunView, name: string, plan = 0): DryStepView {
  const { steps, handlers } = view.plans[plan]!;
  const step = [...steps, ...handlers].find((each) => each.name === name);
  if (step === undefined) throw new Error(`there is no step ${name}`);
  return step;
}

/** Findings on one line each: `error etl > child / step / field: message`. */
export const findingLines = ({ findings }: DryRunView): string[] => findings.map(getLine);

function getLine({ severity, workflow, step, field, message }: DryFindingView): string {
  const location = [workflow, step, field].filter((part) => part !== undefined).join(' / ');
  return `${severity} ${location}: ${message}`;
}

/** Everything below a directory, with size and mtime: what a run would change. */
export function snapshot(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.toSorted().map((name) => {
    const { size, mtimeMs } = statSync(path.join(folder, name));
    return `${name} ${size} ${mtimeMs}`;
  });
}

/** What to retry. */
export type RetryOptions = Omit<OperationInput<'runs.retry'>, 'name' | 'dagRunId'>;

/** Retries the run and waits for its new end. */
export async function retry(
  engine: TestEngine,
  { name, dagRunId }: RunRef,
  options: RetryOptions = {},
): Promise<RunView> {
  await engine.host.api.call('runs.retry', { name, dagRunId, ...options }, testCaller);
  return engine.end({ name, dagRunId });
}

/** Fails at `send` until the file `ready` is there; `side` is an independent branch, `report` comes last. */
export const spec = `
name: nightly
type: graph
steps:
  - { name: load, command: 'echo "rows $(ls | wc -l)"', output: ROWS }
  - { name: side, command: 'true' }
  - { name: send, command: 'echo "got $ROWS"; test -e ready', depends: load }
  - { name: report, command: 'echo "after $ROWS"', depends: [send] }
handlerOn:
  exit: { command: 'echo end >> ends' }
`;

/** Runs it once in a separate directory, which `mend` changes so that the next time succeeds. */
export async function runFailing(text = spec) {
  const folder = makeTemporaryFolder();
  const engine = new TestEngine();
  const view = await engine.run(text, { defaultWorkingDir: folder });
  const mend = (): void => writeFileSync(path.join(folder, 'ready'), '');
  return { engine, folder, view, mend };
}

/** Number of attempts of each step. */
export const attemptsOf = (view: RunView) =>
  Object.fromEntries(view.steps.map((step) => [step.name, step.attempts.length]));

type ApprovalView = OperationOutput<'approvals.answer'>;

/** A workflow with an approval step, with these further lines, and a step that reads the answer. */
export const approvalSpec = (...lines: readonly string[]): string => `
name: asks
maxActiveRuns: -1
params: VERSION=1.4
steps:
  - name: release
    type: approval
    config:
      question: Release \${VERSION}?
      details: All tests passed
      inputs: [TICKET, REASON]
      required: [TICKET]
    output: DECISION
    ${lines.join('\n    ')}
  - name: tell
    command: echo "\${DECISION.approved} \${DECISION.by} \${DECISION.inputs.TICKET} [\${DECISION.inputs.REASON}]"
    output: TOLD
`;

/** Waits until the step `release` requests approval, in its attempt of this number. */
export async function waitForApproval(engine: TestEngine, run: RunRef, attempt = 1): Promise<ApprovalView> {
  const hasAsked = (view: RunView): boolean => releaseOf(view).approval?.attempt === attempt;
  return releaseOf(await engine.untilRun(run, hasAsked)).approval!;
}

export const releaseOf = (view: RunView) => view.steps.find(({ name }) => name === 'release')!;

/** Answers as a user does. */
export const answer = (
  { host }: TestEngine,
  { id }: ApprovalView,
  input: Omit<OperationInput<'approvals.answer'>, 'id'>,
  name = 'ann',
): Promise<ApprovalView> => host.api.call('approvals.answer', { id, ...input }, { ...testCaller, name });

export const approved = { decision: 'approved', values: { TICKET: 'T-1' } } as const;
export const rejected = { decision: 'rejected', comment: 'not on a Friday' } as const;

/** Shell text that signals its start (file `<name>.begun`) and runs until the test releases it (file `<name>.go`). */
export const waitFor = (name: string): string =>
  `echo x >> ${name}.begun; while [ ! -e ${name}.go ]; do sleep 0.01; done`;

/** A run whose host stops, and the hosts that come after it, all on one home and one clock. */
export class RecoveryScenario {
  readonly folder = makeTemporaryFolder();
  readonly clock = new FakeClock();
  engine = new TestEngine({ clock: this.clock });
  run!: RunRef;
  /** Of the process that a test is about. */
  pid: number | undefined;

  async start(text: string, request: Partial<StartRequest> = {}): Promise<RunRef> {
    this.run = await this.engine.start(text, { defaultWorkingDir: this.folder, ...request });
    return this.run;
  }

  /** Releases a step that waits by `waitFor`. */
  go(name: string): void {
    writeFileSync(path.join(this.folder, `${name}.go`), '');
  }

  /** Makes a step wait once more. */
  again(name: string): void {
    for (const end of ['go', 'begun']) rmSync(path.join(this.folder, `${name}.${end}`));
  }

  /** Resolves when a step waits by `waitFor`. */
  waitForStart(name: string): Promise<void> {
    return until(() => existsSync(path.join(this.folder, `${name}.begun`)));
  }

  /** Lines that steps have written into a file. */
  lines(file: string): string[] {
    const full = path.join(this.folder, file);
    return existsSync(full) ? readFileSync(full, 'utf8').split('\n').filter(Boolean) : [];
  }

  /** The host stops executing; its processes continue, and the supervisor records their results. */
  async onLeaseLost(): Promise<void> {
    await this.engine.untilRun(this.run, () => true);
    await this.engine.host.close('leave');
  }

  /** Another host recovers everything. Returns the names of the runs. */
  async recoverRuns(): Promise<string[]> {
    this.engine = new TestEngine({ home: this.engine.home, clock: this.clock });
    const taken = await this.engine.host.recoverRuns();
    return taken.map(({ name }) => name);
  }

  /** Requests the run's end, as any process can. */
  async stop(): Promise<void> {
    await this.engine.host.api.call('runs.stop', this.run, testCaller);
  }

  /** Events of one type so far. */
  async eventsOf(type: RunEvent['type']): Promise<RunEvent[]> {
    const events: RunEvent[] = [];
    const dispose = this.engine.host.api.follow(
      'events.follow',
      { ...this.run, after: 0 },
      { item: ({ event }) => void events.push(event), end() {} },
      testCaller,
    );
    await this.engine.settle();
    dispose();
    return events.filter((event) => event.type === type);
  }

  end(): Promise<RunView> {
    return this.engine.end(this.run);
  }

  untilRun(fits: (view: RunView) => boolean): Promise<RunView> {
    return this.engine.untilRun(this.run, fits);
  }
}

/** The lines of a log by a slow and obvious implementation, for comparison. */
export function splitNaively(content: Buffer): string[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let at = 0; at < content.length; at += 1) {
    if (content[at] !== 10) continue;
    lines.push(content.subarray(start, at));
    start = at + 1;
  }
  if (start < content.length) lines.push(content.subarray(start));
  return lines.map((line) => {
    const bare = line.at(-1) === 13 ? line.subarray(0, -1) : line;
    if (bare.length <= 65_536) return bare.toString('utf8');
    let cut = 65_536;
    while (cut > 65_533 && bare[cut]! >= 0x80 && bare[cut]! <= 0xbf) cut -= 1;
    return `${bare.subarray(0, cut).toString('utf8')}…`;
  });
}

/** A log file in a separate directory, deleted by `await using`. */
interface TempLog extends AsyncDisposable {
  readonly file: string;
  readonly directory: string;
  write(content: string | Uint8Array): Promise<void>;
  append(content: string | Uint8Array): Promise<void>;
}

/** @param content absent: the file does not exist yet */
export async function createTempLog(content?: string | Uint8Array): Promise<TempLog> {
  const directory = await mkdtemp(join(tmpdir(), 'stepwright-log-'));
  const file = join(directory, 'stdout.log');
  if (content !== undefined) await writeFile(file, content);
  return {
    file,
    directory,
    write: (text) => writeFile(file, text),
    append: (text) => appendFile(file, text),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  };
}
