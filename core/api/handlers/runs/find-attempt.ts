import path from 'node:path';
import { AppError } from '../../../base/errors.ts';
import type { NodeId } from '../../../model/run/run-event.ts';
import type { AttemptRecord, RunRecord, RunRef } from '../../../model/run/run.ts';
import type { EngineContext } from '../../engine-context.ts';
import { requireRun } from './run-handlers.ts';

/** How operations identify an attempt of a step or handler. */
export interface AttemptRef extends RunRef {
  readonly step: string;
  readonly section?: NodeId['section'];
  /** Default: the newest attempt. */
  readonly attempt?: number;
}

/** An attempt with its run and step. */
export interface LocatedAttempt {
  readonly run: RunRecord;
  readonly record: AttemptRecord;
  /** Absolute path of the run's directory. */
  readonly logDir: string;
}

/**
 * Returns the attempt at an address.
 * @throws `not_found` with the state of the step if there is none
 */
export function findAttempt(context: EngineContext, address: AttemptRef): LocatedAttempt {
  const { run, steps } = requireRun(context, address);
  const node: NodeId = { section: address.section ?? 'step', name: address.step };
  const step = steps.find((each) => each.node.section === node.section && each.node.name === node.name);
  const record =
    address.attempt === undefined
      ? step?.attempts.at(-1)
      : step?.attempts.find(({ attempt }) => attempt === address.attempt);
  if (record !== undefined) return { run, record, logDir: path.resolve(context.paths.home, run.logDir) };
  const what =
    step === undefined || address.attempt === undefined
      ? 'has not started or does not exist'
      : `has no attempt ${address.attempt}`;
  throw new AppError('not_found', `${describeNode(node)} of run ${run.dagRunId} ${what}.`);
}

/** Formats `Step "fetch"` for the start of a message. */
export const describeNode = ({ section, name }: NodeId): string =>
  `${section === 'step' ? 'Step' : 'Handler'} "${name}"`;
