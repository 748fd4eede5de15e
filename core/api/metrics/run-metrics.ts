import { Counter, Histogram, type Registry, Gauge } from 'prom-client';
import type { Clock, Dispose } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { RunRef } from '../../model/run.ts';
import type { QueueOverview } from '../../run/queue/queues.ts';
import type { RunStore } from '../../store/types/runs.ts';
import type { ScheduleStore } from '../../store/types/schedules.ts';
import type { DecidedFireTime } from '../../run/scheduler/fire-time-runner.ts';
import type { Workflow } from '../../model/workflow.ts';
import type { NodeId, RecordedEvent } from '../../model/run-event.ts';
import type { Step } from '../../model/step.ts';

/** Data sources of the metrics. */
export interface MetricsSources {
  readonly version: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly store: Pick<RunStore, 'commitRevision' | 'listEvents' | 'lastEventId' | 'countActiveRuns'>;
  readonly schedule: Pick<ScheduleStore, 'listSchedulers'>;
  readonly queues: {
    list(): Promise<readonly Pick<QueueOverview, 'queue' | 'isGlobal'>[]>;
  };
  /** Calls back for each slot that this process's scheduler decides. */
  onFireTime(listener: (fireTime: DecidedFireTime) => void): Dispose;
  /** Returns the number of runs that this process drives. */
  activeExecutions(): number;
  /** Returns the workflow of a run; undefined if deleted. */
  findWorkflow(run: RunRef): Promise<Workflow | undefined>;
}

/** In seconds; runs and steps take from milliseconds to a day. */
const durations = [0.05, 0.25, 1, 5, 30, 120, 600, 3600, 6 * 3600, 24 * 3600];

/** State of an active run. */
interface OpenRun {
  /** Epoch milliseconds; absent if it started before counting. */
  startedAt?: number;
  /** Start of the current attempt, by node. */
  readonly attempts: Map<string, number>;
  types: ReadonlyMap<string, string> | undefined;
}

/** Counts events of runs and steps. */
export class RunMetrics {
  readonly #findWorkflow: MetricsSources['findWorkflow'];
  readonly #open = new Map<string, OpenRun>();
  readonly #created: Counter<'trigger'>;
  readonly #finished: Counter<'status'>;
  readonly #runSeconds: Histogram<'status'>;
  readonly #steps: Counter<'status' | 'type'>;
  readonly #retries: Counter<'type'>;
  readonly #attemptSeconds: Histogram<'type'>;

  constructor(registry: Registry, findWorkflow: MetricsSources['findWorkflow']) {
    this.#findWorkflow = findWorkflow;
    const registers = [registry];
    this.#created = new Counter({
      name: 'stepwright_runs_created_total',
      help: 'Runs created, by trigger',
      labelNames: ['trigger'],
      registers,
    });
    this.#finished = new Counter({
      name: 'stepwright_runs_finished_total',
      help: 'Runs finished, by status',
      labelNames: ['status'],
      registers,
    });
    this.#runSeconds = new Histogram({
      name: 'stepwright_run_duration_seconds',
      help: 'Run duration, without queue time',
      labelNames: ['status'],
      buckets: durations,
      registers,
    });
    this.#steps = new Counter({
      name: 'stepwright_steps_finished_total',
      help: 'Steps and handlers finished, by status and type',
      labelNames: ['status', 'type'],
      registers,
    });
    this.#retries = new Counter({
      name: 'stepwright_step_retries_total',
      help: 'Step attempts that were followed by a retry',
      labelNames: ['type'],
      registers,
    });
    this.#attemptSeconds = new Histogram({
      name: 'stepwright_step_attempt_duration_seconds',
      help: 'Step attempt duration',
      labelNames: ['type'],
      buckets: durations,
      registers,
    });
  }

  /** Processes an event of the home; events must be in order. */
  async take({ dag, dagRunId, at, event }: RecordedEvent): Promise<void> {
    const run = { name: dag, dagRunId };
    switch (event.type) {
      case 'run.created':
        this.#created.inc({ trigger: event.trigger });
        return;
      case 'run.started':
        this.#getOpenRun(run).startedAt = at;
        return;
      case 'run.finished':
        this.#end(run, event.status, at);
        return;
      case 'step.started':
        this.#getOpenRun(run).attempts.set(nodeKey(event.node), at);
        return;
      case 'step.retry_scheduled':
        this.#retries.inc({ type: await this.#endAttempt(run, event.node, at) });
        return;
      case 'step.repeat_scheduled':
        await this.#endAttempt(run, event.node, at);
        return;
      case 'step.finished':
      case 'step.ended':
        this.#steps.inc({ status: event.status, type: await this.#endAttempt(run, event.node, at) });
        return;
      default:
    }
  }

  #getOpenRun(run: RunRef): OpenRun {
    const key = getRunKey(run);
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const opened: OpenRun = { attempts: new Map(), types: undefined };
    this.#open.set(key, opened);
    return opened;
  }

  #end(run: RunRef, status: string, at: number): void {
    this.#finished.inc({ status });
    const startedAt = this.#open.get(getRunKey(run))?.startedAt;
    this.#open.delete(getRunKey(run));
    if (startedAt !== undefined) this.#runSeconds.observe({ status }, secondsBetween(startedAt, at));
  }

  /** Ends an attempt and returns the step type. */
  async #endAttempt(run: RunRef, node: NodeId, at: number): Promise<string> {
    const open = this.#getOpenRun(run);
    const key = nodeKey(node);
    const type = (await this.#getTypes(run, open)).get(key) ?? unknownType;
    const startedAt = open.attempts.get(key);
    open.attempts.delete(key);
    if (startedAt !== undefined) this.#attemptSeconds.observe({ type }, secondsBetween(startedAt, at));
    return type;
  }

  async #getTypes(run: RunRef, open: OpenRun): Promise<ReadonlyMap<string, string>> {
    if (open.types === undefined) {
      const workflow = await this.#findWorkflow(run);
      open.types = workflow === undefined ? new Map() : listStepTypes(workflow);
    }
    return open.types;
  }
}

const getRunKey = ({ name, dagRunId }: RunRef): string => `${name}/${dagRunId}`;

/** Returns the seconds between two times; never negative, even if the clock was set back. */
const secondsBetween = (from: number, to: number): number => Math.max(0, to - from) / 1000;

/** Type of a step whose workflow was deleted or is invalid. */
const unknownType = 'unknown';

/** Returns the type of a step: `command`, `script`, `dag`, or its executor type. */
export function readStepType({ action }: Pick<Step, 'action'>): string {
  switch (action.kind) {
    case 'executor':
      return action.type;
    case 'argv':
      return 'command';
    default:
      return action.kind;
  }
}

/** Returns types by node, for fast lookup. */
function listStepTypes(workflow: Workflow): ReadonlyMap<string, string> {
  const handlers = Object.values(workflow.handlers).flat();
  return new Map([
    ...workflow.steps.map(
      (step) => [nodeKey({ section: 'step', name: step.name }), readStepType(step)] as const,
    ),
    ...handlers.map(
      (step) => [nodeKey({ section: 'handler', name: step.name }), readStepType(step)] as const,
    ),
  ]);
}

const nodeKey = ({ section, name }: NodeId): string => `${section}:${name}`;

/** Name and help text of a gauge. */
export interface GaugeOptions<Label extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly Label[];
}

/** Adds a gauge that is computed at each scrape. */
export function addGauge<Label extends string = never>(
  registry: Registry,
  { name, help, labelNames = [] }: GaugeOptions<Label>,
  read: (gauge: Gauge<Label>) => void | Promise<void>,
): void {
  const gauge: Gauge<Label> = new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [],
    collect: () => read(gauge),
  });
  registry.registerMetric(gauge);
}
