import type { RunOwner } from '../../../model/run/run.ts';
import type { StepContext } from '../../executor.ts';

/** Labels that identify the containers of Stepwright. */
export const labels = {
  /** JSON of the engine process that deletes the container; absent if the container is not deleted. */
  owner: 'stepwright.owner',
  dag: 'stepwright.dag',
  run: 'stepwright.run',
  step: 'stepwright.step',
  /** Fingerprint of the settings of a container that is not deleted. */
  settings: 'stepwright.settings',
} as const;

/** Returns the labels that describe which run and step created a container. */
export const stepLabels = ({ env, step }: Pick<StepContext, 'env' | 'step'>): Record<string, string> => ({
  [labels.dag]: env['DAG_NAME'] ?? '',
  [labels.run]: env['DAG_RUN_ID'] ?? '',
  [labels.step]: step.name,
});

/** Parses the engine process of a label; undefined if the label has none. */
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
