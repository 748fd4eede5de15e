// A file of its own: every command loads it, but not the contract of the API.

/** Settings of the configuration file that the API and the settings page can change. */
export const editableSettings = [
  'tz',
  'scheduler.catchup',
  'scheduler.catchupWindow',
  'history.retentionDays',
  'history.retentionRuns',
  'monitor.retention',
  'webhooks.retentionDays',
] as const;

export type EditableSetting = (typeof editableSettings)[number];

/** Those that a host applies without a restart. */
export const liveSettings: readonly EditableSetting[] = ['history.retentionDays', 'history.retentionRuns'];

/** When a connection to a mail server must be encrypted. */
export const encryptions = ['auto', 'required', 'optional'] as const;

export type Encryption = (typeof encryptions)[number];
