import { findNearest } from '../../base/text/nearest.ts';
import type { Report } from '../source/report.ts';
import type { SourceRef } from '../source/source-node.ts';

/** Signals that a step may specify for stopping: the POSIX signals that a process can catch, and SIGKILL. */
export const stopSignals: readonly string[] = [
  'SIGABRT',
  'SIGALRM',
  'SIGCONT',
  'SIGHUP',
  'SIGINT',
  'SIGKILL',
  'SIGPIPE',
  'SIGQUIT',
  'SIGTERM',
  'SIGUSR1',
  'SIGUSR2',
  'SIGWINCH',
];

/** Reads `signalOnStop`; the prefix `SIG` is optional. */
export function readSignal(value: string | undefined, source: SourceRef, report: Report): string | undefined {
  if (value === undefined) return undefined;
  const upper = value.trim().toUpperCase();
  const name = upper.startsWith('SIG') ? upper : `SIG${upper}`;
  if (stopSignals.includes(name)) return name;
  const near = findNearest(name, stopSignals);
  const hint = near === undefined ? `Valid signals: ${stopSignals.join(', ')}.` : `Did you mean "${near}"?`;
  report.error(source, `Unknown signal "${value.slice(0, 40)}". ${hint}`);
  return undefined;
}
