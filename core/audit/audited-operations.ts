import type { OperationName } from '../contract/operations.ts';

/**
 * Operations that change something and leave no trace in the audit trail: unsaved texts and places of cards are
 * written with every stroke and undo themselves; the others only compute an answer.
 */
export const untracedOperations: ReadonlySet<OperationName> = new Set<OperationName>([
  'dags.validate',
  'dags.dry',
  'runs.dry',
  'drafts.put',
  'drafts.delete',
  'drafts.putNew',
  'drafts.deleteNew',
  'layouts.put',
  'system.check',
  'gateway.reload',
]);

/**
 * Operations that leave a trace. A list of names, and not a look at the table of operations, because that takes longer
 * to load than a short run takes; a test holds the two together.
 */
export const auditedOperations: ReadonlySet<OperationName> = new Set<OperationName>([
  'dags.start',
  'dags.create',
  'dags.updateSpec',
  'dags.rename',
  'dags.delete',
  'dags.stopAll',
  'dags.suspend',
  'schedules.pause',
  'schedules.resume',
  'dags.enqueue',
  'runs.start',
  'runs.stop',
  'runs.delete',
  'runs.enqueue',
  'runs.dequeue',
  'runs.retry',
  'runs.reschedule',
  'runs.restart',
  'runs.setStepStatus',
  'runs.setSubRunStepStatus',
  'queues.dequeue',
  'queues.pause',
  'queues.drain',
  'queues.resume',
  'queues.clear',
  'queues.move',
  'auth.login',
  'auth.logout',
  'auth.changePassword',
  'users.create',
  'users.update',
  'users.delete',
  'users.resetPassword',
  'tokens.create',
  'tokens.delete',
  'webhooks.create',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.rotateSecret',
  'webhooks.ping',
  'webhooks.test',
  'webhooks.redeliver',
  'webhooks.replay',
  'webhooks.retryMessage',
  'webhooks.emit',
  'receivers.create',
  'receivers.update',
  'receivers.delete',
  'receivers.rotate',
  'receivers.replay',
  'gateway.request',
]);
