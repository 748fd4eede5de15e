import type { CalendarEntryView } from '../../../core/contract/schedules/calendars.ts';
import type { StepStatus } from '../../../core/model/run/status.ts';
import { statusLabels } from '../../format/status.ts';
import { formatHourAndMinute } from '../../format/time.ts';

const kindLabels = { start: '', stop: 'Stop', restart: 'Restart' } as const;
const outcomeLabels = {
  due: 'due',
  suspended: 'suspended',
  started: 'started',
  stopped: 'stopped',
  restarting: 'restarting',
  skipped: 'missed',
  failed: 'failed to start',
} as const;

/** Describes the outcome of an entry: `missed: the previous run is still active`. */
export function describeEntry({ kind, outcome, count, last, reason, run }: CalendarEntryView): string {
  const ended = run === undefined || count > 1 ? '' : `, ${statusLabels[run.status].toLowerCase()}`;
  const until = count > 1 ? `, ${count} runs until ${formatHourAndMinute(last)}` : '';
  const reasonText = reason === undefined ? '' : `: ${reason}`;
  return [kindLabels[kind], `${outcomeLabels[outcome]}${ended}${until}${reasonText}`]
    .filter((word) => word !== '')
    .join(' ');
}

/** Returns its status icon: that of its run, if there is one. */
export function shapeOf({ outcome, run }: CalendarEntryView): StepStatus {
  if (run !== undefined) return run.status;
  switch (outcome) {
    case 'skipped':
    case 'suspended':
      return 'skipped';
    case 'failed':
      return 'failed';
    case 'stopped':
      return 'aborted';
    case 'restarting':
      return 'running';
    case 'started':
      return 'succeeded';
    case 'due':
      return 'not_started';
  }
}
