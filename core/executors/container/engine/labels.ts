import type { RunOwner } from '../../../model/run/run.ts';
import type { StepContext } from '../../executor.ts';

/** Labels by which containers are found again. */
export const labels = {
  /** JSON of the engine process that removes it; absent when the container is to stay. */
  owner: 'stepwright.owner',
  dag: 'stepwright.dag',
  run: 'stepwright.run',
  step: 'stepwright.step',
  /** Fingerprint of the settings of a container that is to stay. */
  settings: 'stepwright.settings',
} as const;

/** What tells whose a container is. */
export const describeOrigin = ({ env, step }: Pick<StepContext, 'env' | 'step'>): Record<string, string> => ({
  [labels.dag]: env['DAG_NAME'] ?? '',
  [labels.run]: env['DAG_RUN_ID'] ?? '',
  [labels.step]: step.name,
});

/** The process that a label names; undefined when it names none. */
export function readOwner(label: string | undefined): RunOwner | undefined {
  try {
    const owner = JSON.parse(label ?? '') as Partial<RunOwner>;
    const { host, pid, pidStart, bootId } = owner;
    if (typeof host !== 'string' || typeof pid !== 'number') return undefined;
    if (typeof pidStart !== 'string' || typeof bootId !== 'string') return undefined;
    return { host, pid, pidStart, bootId };
  } catch {
    return undefined;
  }
}
