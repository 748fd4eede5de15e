import type { FailPointName } from '../../core/base/fail-points.ts';

/** A fault point, or with a number, the time at which it is reached. */
type Moment = FailPointName | `${FailPointName}@${number}`;

/** Of the host of a run of `whole`, which continues afterwards. */
export const runPoints = [
  'run.created',
  'run.before_scope',
  'run.scope_opened',
  'run.before_conditions',
  'run.before_steps',
  'step.conditions_checked',
  'attempt.announced',
  'attempt.prepared',
  'attempt.before_spawn',
  'attempt.spawned',
  'attempt.ended',
  'attempt.captured',
  'attempt.before_retry_wait',
  'attempt.retry_due',
  'step.before_settle',
  'step.ended',
  'item.before_spawn',
  'item.ended',
  'sub_run.created',
  'run.scope_opened@2',
  'run.before_finish@1',
  'run.finished@1',
  'handler.before_start',
  'handler.before_start@2',
  'handler.ended@2',
  'run.before_closing@2',
  'run.before_finish@2',
  'commit.before@3',
  'commit.after@2',
  'commit.after@19',
] as const satisfies readonly Moment[];

/** Later times at which the same fault points are reached: repetitions, for `FAULT_SEEDS`. */
export const laterRunPoints = [
  'attempt.announced@7',
  'attempt.before_spawn@5',
  'attempt.spawned@4',
  'attempt.ended@3',
  'step.before_settle@4',
  'item.before_spawn@3',
  'item.ended@3',
  'handler.before_start@3',
  'commit.before@9',
  'commit.before@17',
  'commit.after@8',
] as const satisfies readonly Moment[];

/** Of the host that recovers a run whose first host was killed midway; a third one recovers it then. */
export const recoveryPoints = [
  'run.before_take_over',
  'run.recovered',
  'run.before_scope',
  'attempt.ended',
  'attempt.before_spawn',
  'step.before_settle',
  'handler.ended',
  'commit.before',
  'commit.after',
] as const satisfies readonly Moment[];

/** The points of the three lists next to writes of the store: what is lost there depends on the database. */
export const storePoints = {
  run: ['run.created', 'attempt.before_spawn', 'commit.before@3', 'commit.after@2', 'run.finished@1'],
  recovery: ['run.before_take_over', 'run.recovered'],
  queue: ['queue.claimed'],
  schedule: ['scheduler.slot_due'],
} as const satisfies Readonly<Record<string, readonly Moment[]>>;

/** Of the host of a run whose first step is an approval, before a response. */
export const approvalPoints = [
  'attempt.announced',
  'attempt.before_spawn',
  'question.asked',
] as const satisfies readonly Moment[];

/** The same, after a response. */
export const answeredPoints = [
  'attempt.ended',
  'attempt.captured',
  'step.before_settle',
  'attempt.before_spawn@2',
] as const satisfies readonly Moment[];

/** Of the host that resumes a failed run with its mended file, after its decision is stored; `@2` is the sub-run. */
export const resumePoints = [
  'run.reopened',
  'run.before_scope',
  'handler.before_start',
  'run.before_steps',
  'attempt.announced',
  'attempt.before_spawn@2',
  'attempt.spawned@2',
  'item.ended',
  'run.reopened@2',
  'step.before_settle@4',
  'run.before_finish@2',
  'commit.before',
  'commit.after@5',
] as const satisfies readonly Moment[];

/** Of commands that enqueue a run. */
export const enqueuePoints = ['queue.before_enqueue', 'queue.enqueued'] as const satisfies readonly Moment[];

/** Of the scheduler that starts queued runs. */
export const queuePoints = [
  'queue.claimed',
  'queue.before_start',
  'run.before_scope',
  'attempt.spawned',
] as const satisfies readonly Moment[];

/** Of the scheduler with a schedule of every second. */
export const schedulePoints = [
  'scheduler.took_lease',
  'scheduler.slot_due',
  'scheduler.slot_done',
  'run.before_create',
  'run.created',
  'attempt.spawned',
] as const satisfies readonly Moment[];

/** Of a restore into a home with data. */
export const restorePoints = [
  'restore.unpacked',
  'restore.home_moved',
  'restore.carried_over',
  'restore.done',
] as const satisfies readonly Moment[];

/** Of a copy of a database with two batches of events. */
export const copyPoints = [
  'copy.rows@5',
  'copy.indexed@20',
  'copy.verified@1',
] as const satisfies readonly Moment[];

/** Of a cleanup that deletes more than one batch of runs. */
export const cleanupPoints = [
  'cleanup.purged',
  'cleanup.purged@2',
  'cleanup.logs_removed',
] as const satisfies readonly Moment[];

/** Of a migration of two old folders. */
export const migrationPoints = [
  'migration.before_write',
  'migration.written',
  'migration.folder_moved',
  'migration.folder_moved@2',
] as const satisfies readonly Moment[];

/**
 * Of the host that receives a webhook, which is redelivered to the next one, as senders do without a
 * response.
 */
export const receiverPoints = [
  'webhook.before_keep',
  'webhook.kept',
  'webhook.before_start',
  'webhook.started',
] as const satisfies readonly Moment[];

/** Of the host that delivers one event to three webhooks. */
export const senderPoints = [
  'webhook.took_lease',
  'webhook.fanned_out',
  'webhook.claimed',
  'webhook.answered',
  'webhook.recorded',
] as const satisfies readonly Moment[];

/** Of the host that decides on the notifications of failed runs, immediate ones and a digest, and delivers them. */
export const notificationPoints = [
  'notification.before_decide',
  'notification.decided',
  'notification.released',
  'webhook.claimed',
  'webhook.answered',
  'webhook.recorded',
] as const satisfies readonly Moment[];
