import { isSomebody } from '../../core/model/run/doer.ts';
import type { Trigger } from '../../core/model/run/run-event.ts';

/** What started a run, in a word or two. */
export const triggerWords: Readonly<Record<Trigger, string>> = {
  manual: 'Manual',
  cli: 'Command line',
  api: 'API',
  schedule: 'Schedule',
  webhook: 'Webhook',
  parent: 'Parent run',
  retry: 'Retry',
  migrated: 'Migrated',
};

/** What started a run, and who, when that is known and says more: `API · anna`. */
export const describeOrigin = ({
  trigger,
  startedBy,
}: {
  readonly trigger: Trigger;
  readonly startedBy?: string | undefined;
}): string =>
  [triggerWords[trigger], ...(isSomebody(startedBy) ? [startedBy.replace(/^webhook /, '')] : [])].join(' · ');
