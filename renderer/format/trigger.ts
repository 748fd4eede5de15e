import type { Trigger } from '../../core/model/run-event.ts';

/** What started a run, in a word or two. */
export const triggerWords: Readonly<Record<Trigger, string>> = {
  manual: 'By hand',
  cli: 'Command line',
  api: 'API',
  schedule: 'Schedule',
  webhook: 'Webhook',
  parent: 'Parent run',
  retry: 'Retry',
  migrated: 'Migrated',
};
