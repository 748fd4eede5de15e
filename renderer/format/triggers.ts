import type { Workflow } from '../../core/model/workflow.ts';
import type { WebhookTrigger } from '../../core/model/webhook-trigger.ts';
import { engineStart } from '../../core/model/workflow-rules.ts';
import { formatCron } from './cron.ts';

/** What starts a workflow, in words. */
export interface TriggerText {
  readonly kind: 'schedule' | 'webhook' | 'manual';
  /** `Every weekday at 06:00, Europe/Berlin` */
  readonly words: string;
}

/** The parts of a workflow that start its runs. */
export type TriggeredWorkflow = Pick<Workflow, 'schedule' | 'webhooks' | 'timezone'>;

/** Describes all triggers of a workflow; one without any is only run manually. */
export function describeTriggers(workflow: TriggeredWorkflow): readonly TriggerText[] {
  const { schedule, webhooks = [], timezone } = workflow;
  const triggers = [
    ...schedule.start.map((time) => toTrigger('schedule', describeTime(time, timezone))),
    ...schedule.restart.map((time) => toTrigger('schedule', `Restart: ${describeTime(time, timezone)}`)),
    ...webhooks.map((webhook) => toTrigger('webhook', describeWebhook(webhook))),
  ];
  return triggers.length > 0 ? triggers : [toTrigger('manual', 'Manual runs only')];
}

const toTrigger = (kind: TriggerText['kind'], words: string): TriggerText => ({ kind, words });

function describeTime(expression: string, timezone: string | undefined): string {
  const [, zone = timezone, fields = expression] = /^CRON_TZ=(\S+)\s+(.*)$/s.exec(expression) ?? [];
  const words = formatCron(fields);
  return zone === undefined || fields.toLowerCase() === engineStart
    ? words
    : `${words}, ${zone.replaceAll('_', ' ')}`;
}

function describeWebhook({ receiver, events }: WebhookTrigger): string {
  const name = receiver === undefined ? 'a webhook' : `webhook ${receiver}`;
  return events.length === 0 ? `When ${name} arrives` : `When ${name} sends ${events.join(' or ')}`;
}
