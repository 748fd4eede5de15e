import { createHash } from 'node:crypto';
import path from 'node:path';
import type { NodeId } from '../../model/run/run-event.ts';
import type { RunRef } from '../../model/run/run.ts';

/** The engine's log of a run, in the run's directory (`DAG_RUN_LOG_FILE`). */
export const runLogFile = 'run.log';

const maxNameLength = 80;

/**
 * Returns a run's directory: `logs/<dag>/<UTC time>_<run id>`, relative to the home, or the same under `root` instead
 * of `logs`.
 * @param root the workflow's `logDir`, absolute
 */
export function runLogDir(run: RunRef, at: number, root?: string): string {
  const time = new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const folder = `${run.name}/${time}_${run.dagRunId}`;
  return root === undefined ? `logs/${folder}` : path.join(root, folder);
}

/**
 * Returns an attempt's directory relative to the run's: `extract.1`. Handlers start with `@`, which no step name does.
 */
export function attemptDir(node: NodeId, attempt: number): string {
  return `${node.section === 'handler' ? '@' : ''}${safeName(node.name)}.${attempt}`;
}

/**
 * Returns a file name for a step. Step names may contain any character; names that are not plain file names get a hash,
 * so that they stay unique.
 */
function safeName(name: string): string {
  if (/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,79}$/.test(name)) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, maxNameLength)}~${hash}`;
}
