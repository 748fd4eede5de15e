import { pluralize } from '../../core/base/text/pluralize.ts';
import type { EventView } from '../../core/contract/runs/events.ts';
import type { OperationInput } from '../../core/contract/operations.ts';
import type { EngineApi } from '../../core/index.ts';
import { windowCaller } from '../ipc/register-operations.ts';

interface Progress {
  readonly total: number;
  /** Names of finished steps. */
  readonly ended: Set<string>;
}

/** Progress of runs, read once for each run and then updated by events. */
export class ProgressTracker {
  readonly #api: EngineApi;
  readonly #runs = new Map<string, Progress>();

  constructor(api: EngineApi) {
    this.#api = api;
  }

  hear({ dagRunId, event }: EventView): void {
    if (event.type === 'run.finished' || event.type === 'run.retried') this.#runs.delete(dagRunId);
    const run = this.#runs.get(dagRunId);
    if (run === undefined) return;
    if (event.type !== 'step.finished' && event.type !== 'step.ended') return;
    if (event.node.section === 'step') run.ended.add(event.node.name);
  }

  /** Returns `3 of 8 steps`; undefined for a run that does not exist. */
  async notify(run: OperationInput<'runs.get'>): Promise<string | undefined> {
    const { total, ended } = this.#runs.get(run.dagRunId) ?? (await this.#read(run)) ?? {};
    return total === undefined ? undefined : `${ended!.size} of ${pluralize(total, 'step')}`;
  }

  async #read({ name, dagRunId }: OperationInput<'runs.get'>): Promise<Progress | undefined> {
    const detail = await this.#api.call('runs.get', { name, dagRunId }, windowCaller).catch(() => undefined);
    if (detail === undefined) return undefined;
    const { steps } = detail;
    const ended = steps.filter(({ finishedAt, status }) => finishedAt !== undefined || status === 'skipped');
    const progress = { total: steps.length, ended: new Set(ended.map((step) => step.name)) };
    this.#runs.set(dagRunId, progress);
    return progress;
  }
}
