import { isNamedActor } from '../../core/model/run/actor.ts';
import type { Trigger } from '../../core/model/run/run-event.ts';

/** Label of each trigger. */
export const triggerLabels: Readonly<Record<Trigger, string>> = {
  manual: 'Manual',
  cli: 'Command line',
  api: 'API',
  schedule: 'Schedule',
  webhook: 'Webhook',
  parent: 'Parent run',
  retry: 'Retry',
  migrated: 'Migrated',
};

/** Describes what started a run, and the user if known and useful: `API · anna`. */
export const describeOrigin = ({
  trigger,
  startedBy,
}: {
  readonly trigger: Trigger;
  readonly startedBy?: string | undefined;
}): string =>
  [triggerLabels[trigger], ...(isNamedActor(startedBy) ? [startedBy.replace(/^webhook /, '')] : [])].join(
    ' · ',
  );
