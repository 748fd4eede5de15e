import {
  Clock3,
  Filter,
  Repeat2,
  RotateCcw,
  Rows3,
  ShieldCheck,
  Variable,
  type LucideIcon,
} from 'lucide-react';
import type { StepSettings } from '../../../core/edit/outline.ts';
import type { Step } from '../../../core/model/step.ts';
import { formatDuration } from '../../format/time.ts';
import { formatLimit } from '../../format/values.ts';

/** Returns the badges of a step in a text with errors, from its own fields, without the engine's defaults. */
export function badgesFromSettings(settings: StepSettings): readonly StepBadge[] {
  const { conditions, retry, timeoutSec, continuesOnError, repeat, parallel, output } = settings;
  const badges: StepBadge[] = [];
  if (conditions !== undefined)
    badges.push({ id: 'conditions', icon: Filter, short: 'if', words: conditionLabel(conditions) });
  if (retry) badges.push(retryBadge(retry));
  if (timeoutSec !== undefined)
    badges.push({
      ...{ id: 'timeout', icon: Clock3, short: showSeconds(timeoutSec) },
      words: `timeout ${showSeconds(timeoutSec)}`,
    });
  if (continuesOnError)
    badges.push({ id: 'continue', icon: ShieldCheck, short: '', words: 'continues on failure' });
  if (repeat) badges.push(repeatBadge(repeat));
  if (parallel) badges.push(parallelBadge(parallel));
  if (output !== undefined)
    badges.push({ id: 'output', icon: Variable, short: '', words: `saves output as ${output}` });
  return badges;
}

function retryBadge({ limit, intervalSec }: NonNullable<StepSettings['retry']>): StepBadge {
  const times = limit === undefined ? '' : ` ${formatLimit(limit)}`;
  const apart = intervalSec === undefined ? '' : `, ${showSeconds(intervalSec)} apart`;
  return {
    ...{ id: 'retry', icon: RotateCcw, short: limit === undefined ? '' : `${limit}×` },
    words: `retries${times}${apart}`,
  };
}

function repeatBadge({ mode, limit, intervalSec }: NonNullable<StepSettings['repeat']>): StepBadge {
  const every = intervalSec === undefined ? '' : ` every ${showSeconds(intervalSec)}`;
  const reason = mode === undefined ? '' : ` ${mode} its condition is met`;
  const max = limit === undefined ? '' : `, ${formatLimit(limit)}`;
  return {
    ...{ id: 'repeat', icon: Repeat2, short: limit === undefined ? '' : `${limit}×` },
    words: `repeats${every}${reason}${max}`,
  };
}

function parallelBadge({ items, atOnce }: NonNullable<StepSettings['parallel']>): StepBadge {
  const each = items === undefined ? 'each item' : `each of ${items} items`;
  return {
    ...{ id: 'parallel', icon: Rows3, short: items === undefined ? 'each' : String(items) },
    words: `runs once for ${each}${atOnce === undefined ? '' : `, ${atOnce} at a time`}`,
  };
}

/** A badge on a card for a setting other than the action. */
export interface StepBadge {
  readonly id: string;
  readonly icon: LucideIcon;
  /** Shown next to the icon; empty if the icon is enough. */
  readonly short: string;
  readonly words: string;
}

/** Formats a number of seconds; an expression that is only known at run time is shown as it is. */
const showSeconds = (value: number | string): string =>
  typeof value === 'number' ? formatDuration(value * 1000) : value;

/** Returns the badges of a step, most important first. */
export function listBadges(step: Step): readonly StepBadge[] {
  return [...conditionBadge(step), ...failureBadges(step), ...repetitionBadges(step), ...outputBadge(step)];
}

function conditionBadge({ preconditions: { length } }: Step): StepBadge[] {
  if (length === 0) return [];
  return [{ id: 'conditions', icon: Filter, short: 'if', words: conditionLabel(length) }];
}

const conditionLabel = (count: number): string =>
  count === 1 ? 'runs only if its condition is met' : `runs only if ${count} conditions are met`;

function failureBadges({ retry, continueOn, timeoutSec }: Step): StepBadge[] {
  const badges: StepBadge[] = [];
  if (retry)
    badges.push({
      id: 'retry',
      icon: RotateCcw,
      short: `${retry.limit}×`,
      words: `retries ${formatLimit(retry.limit)}, ${showSeconds(retry.intervalSec)} apart`,
    });
  if (timeoutSec !== undefined)
    badges.push({
      id: 'timeout',
      icon: Clock3,
      short: showSeconds(timeoutSec),
      words: `timeout ${showSeconds(timeoutSec)}`,
    });
  const reasons = [
    ...(continueOn.failure ? ['on failure'] : []),
    ...(continueOn.skipped ? ['when skipped'] : []),
    ...(continueOn.exitCodes.length > 0 ? [`after exit code ${continueOn.exitCodes.join(', ')}`] : []),
    ...(continueOn.output.length > 0 ? ['on matching output'] : []),
  ];
  if (reasons.length > 0)
    badges.push({
      id: 'continue',
      icon: ShieldCheck,
      short: '',
      words: `continues ${reasons.join(' or ')}`,
    });
  return badges;
}

function repetitionBadges({ repeat, parallel }: Step): StepBadge[] {
  const badges: StepBadge[] = [];
  if (repeat) {
    const max = repeat.limit === undefined ? '' : `, ${formatLimit(repeat.limit)}`;
    badges.push({
      id: 'repeat',
      icon: Repeat2,
      short: repeat.limit === undefined ? '' : `${repeat.limit}×`,
      words: `repeats every ${showSeconds(repeat.intervalSec)} ${repeat.mode} its condition is met${max}`,
    });
  }
  if (parallel) {
    const count = typeof parallel.items === 'string' ? 'each item' : `each of ${parallel.items.length} items`;
    badges.push({
      id: 'parallel',
      icon: Rows3,
      short: typeof parallel.items === 'string' ? 'each' : String(parallel.items.length),
      words: `runs once for ${count}, ${parallel.maxConcurrent} at a time`,
    });
  }
  return badges;
}

const outputBadge = ({ output }: Step): StepBadge[] =>
  output === undefined
    ? []
    : [{ id: 'output', icon: Variable, short: '', words: `saves output as ${output}` }];
