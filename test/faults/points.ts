import type { FailPointName } from '../../core/base/fail-points.ts';

/** A moment, or with a number the time at which it is reached. */
type Moment = FailPointName | `${FailPointName}@${number}`;

/** Of the host that drives a run of `whole`, which goes on afterwards. */
export const runPoints = [
  'run.created',
  'run.before_scope',
  'run.scope_opened',
  'run.before_conditions',
  'run.before_steps',
  'step.conditions_checked',
  'attempt.announced',
  'attempt.announced@7',
  'attempt.prepared',
  'attempt.before_spawn',
  'attempt.before_spawn@5',
  'attempt.spawned',
  'attempt.spawned@4',
  'attempt.ended',
  'attempt.ended@3',
  'attempt.captured',
  'attempt.before_retry_wait',
  'attempt.retry_due',
  'step.before_settle',
  'step.before_settle@4',
  'step.ended',
  'item.before_spawn',
  'item.before_spawn@3',
  'item.ended',
  'item.ended@3',
  'sub_run.created',
  'run.scope_opened@2',
  'run.before_finish@1',
  'run.finished@1',
  'handler.before_start',
  'handler.before_start@2',
  'handler.ended@2',
  'handler.before_start@3',
  'run.before_closing@2',
  'run.before_finish@2',
  'commit.before@3',
  'commit.before@9',
  'commit.before@17',
  'commit.after@2',
  'commit.after@8',
  'commit.after@19',
] as const satisfies readonly Moment[];

/** Of the host that takes over a run whose first one was killed in the middle; a third one takes over then. */
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

/** Of the host of a run whose first step asks a person, before there is an answer. */
export const approvalPoints = [
  'attempt.announced',
  'attempt.before_spawn',
  'question.asked',
] as const satisfies readonly Moment[];

/** The same, when somebody has answered. */
export const answeredPoints = [
  'attempt.ended',
  'attempt.captured',
  'step.before_settle',
  'attempt.before_spawn@2',
] as const satisfies readonly Moment[];

/** Of commands that put a run into its queue. */
export const enqueuePoints = ['queue.before_enqueue', 'queue.enqueued'] as const satisfies readonly Moment[];

/** Of the scheduler that starts what waits. */
export const queuePoints = [
  'queue.claimed',
  'queue.before_start',
  'run.before_scope',
  'attempt.spawned',
] as const satisfies readonly Moment[];

/** Of the scheduler that serves a schedule of every second. */
export const schedulePoints = [
  'scheduler.took_lease',
  'scheduler.slot_due',
  'scheduler.slot_done',
  'run.before_create',
  'run.created',
  'attempt.spawned',
] as const satisfies readonly Moment[];

/** Of a restore into a home that holds something. */
export const restorePoints = [
  'restore.unpacked',
  'restore.home_moved',
  'restore.carried_over',
  'restore.done',
] as const satisfies readonly Moment[];

/** Of a cleanup that removes more than one portion of runs. */
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

/** Of the host that takes a webhook, which comes again to the next one, as senders do that got no answer. */
export const receiverPoints = [
  'webhook.before_keep',
  'webhook.kept',
  'webhook.before_start',
  'webhook.started',
] as const satisfies readonly Moment[];

/** Of the host that tells three webhooks of one event. */
export const senderPoints = [
  'webhook.took_lease',
  'webhook.fanned_out',
  'webhook.claimed',
  'webhook.answered',
  'webhook.recorded',
] as const satisfies readonly Moment[];
