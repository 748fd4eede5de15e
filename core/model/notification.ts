/** What a notification rule can report, with its title in a message. */
export const notificationEvents = {
  failed: 'failed',
  recovered: 'recovered',
  late: 'is late',
  long: 'runs longer than expected',
  waiting: 'waits for approval',
  missing: 'did not start',
} as const;

export type NotificationEventName = keyof typeof notificationEvents;

/** Event type as emitted by the engine. */
export type NotificationEventType = `run.${NotificationEventName}`;

/** Something that users may want to be told of. */
export interface NotificationEvent {
  readonly type: NotificationEventType;
  /** Name of the workflow, or of a monitored job that runs elsewhere. */
  readonly workflow: string;
  readonly runId?: string | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  /** One sentence that says what happened, such as `Step "load" failed: exit code 1`. */
  readonly detail?: string | undefined;
  /**
   * Identifies the occurrence, such as `late etl 2026-01-31`. An event with the key of an earlier one is ignored, so
   * that several hosts can report the same occurrence.
   */
  readonly key?: string | undefined;
}
