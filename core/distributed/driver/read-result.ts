import { messageOf } from '../../base/errors.ts';
import type { ExecutorResult } from '../../executors/executor.ts';
import type { RemoteResult } from '../remote-task.ts';

/** Returns the end of an attempt from its worker's result. Values to mask are registered first. */
export function readResult(text: string | undefined, maskSecrets: (value: string) => void): ExecutorResult {
  let result: RemoteResult;
  try {
    result = JSON.parse(text ?? '') as RemoteResult;
  } catch (cause) {
    return { error: `invalid result from the worker: ${messageOf(cause)}` };
  }
  for (const value of result.hidden ?? []) maskSecrets(value);
  const { exitCode, signal, error, partial, unstarted, output, captured } = result;
  return {
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
    ...(error === undefined ? {} : { error }),
    ...(partial === undefined ? {} : { partial }),
    ...(unstarted === undefined ? {} : { unstarted }),
    ...(output === undefined ? {} : { output }),
    ...(typeof captured === 'string' ? { stdout: captured } : {}),
  };
}
