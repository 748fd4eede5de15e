import type { Trigger } from '../../core/model/run/run-event.ts';

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

/** Names of ways in, where nobody has to log in: they say no more than the trigger does. */
const waysIn: Readonly<Record<string, string>> = {
  http: 'over HTTP',
  window: 'in the window',
  cli: 'on the command line',
  schedule: 'by the schedule',
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

/** Whether the name is that of a user or a token. */
export const isSomebody = (startedBy: string | undefined): startedBy is string =>
  startedBy !== undefined && !Object.hasOwn(waysIn, startedBy);

/** Who has done something, `by anna`; else the way that was taken, `over HTTP`. */
export const describeDoer = (name: string): string => (isSomebody(name) ? `by ${name}` : waysIn[name]!);
