import path from 'node:path';
import { AppError } from '../../../base/errors.ts';
import type { NodeId } from '../../../model/run/run-event.ts';
import type { AttemptRecord, RunRecord, RunRef } from '../../../model/run/run.ts';
import type { EngineParts } from '../../engine-parts.ts';
import { requireRun } from './run-handlers.ts';

/** How operations name an attempt of a step or handler. */
export interface AttemptAddress extends RunRef {
  readonly step: string;
  readonly section?: NodeId['section'];
  /** The newest when absent. */
  readonly attempt?: number;
}

/** An attempt and where it belongs. */
export interface AttemptPlace {
  readonly run: RunRecord;
  readonly record: AttemptRecord;
  /** Absolute path of the run's directory. */
  readonly logDir: string;
}

/** The attempt at an address. Throws `not_found` when there is none, which says how far the step has come. */
export function findAttempt(parts: EngineParts, address: AttemptAddress): AttemptPlace {
  const { run, steps } = requireRun(parts, address);
  const node: NodeId = { section: address.section ?? 'step', name: address.step };
  const step = steps.find((each) => each.node.section === node.section && each.node.name === node.name);
  const record =
    address.attempt === undefined
      ? step?.attempts.at(-1)
      : step?.attempts.find(({ attempt }) => attempt === address.attempt);
  if (record !== undefined) return { run, record, logDir: path.resolve(parts.paths.home, run.logDir) };
  const what =
    step === undefined || address.attempt === undefined
      ? 'has not started or does not exist'
      : `has no attempt ${address.attempt}`;
  throw new AppError('not_found', `${describeNode(node)} of run ${run.dagRunId} ${what}.`);
}

/** `Step "fetch"`, as a message begins. */
export const describeNode = ({ section, name }: NodeId): string =>
  `${section === 'step' ? 'Step' : 'Handler'} "${name}"`;
