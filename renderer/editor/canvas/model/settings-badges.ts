import { Clock3, Filter, Repeat2, RotateCcw, Rows3, ShieldCheck, Variable } from 'lucide-react';
import type { StepSettings } from '../../../../core/edit/outline.ts';
import type { StepBadge } from './step-badges.ts';
import { conditionLabel, showSeconds } from './step-badges.ts';

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
  const times = limit === undefined ? '' : ` up to ${limit} times`;
  const apart = intervalSec === undefined ? '' : `, ${showSeconds(intervalSec)} apart`;
  return {
    ...{ id: 'retry', icon: RotateCcw, short: limit === undefined ? '' : `${limit}×` },
    words: `retries${times}${apart}`,
  };
}

function repeatBadge({ mode, limit, intervalSec }: NonNullable<StepSettings['repeat']>): StepBadge {
  const every = intervalSec === undefined ? '' : ` every ${showSeconds(intervalSec)}`;
  const reason = mode === undefined ? '' : ` ${mode} its condition is met`;
  const max = limit === undefined ? '' : `, up to ${limit} times`;
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
