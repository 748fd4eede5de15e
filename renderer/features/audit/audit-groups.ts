/** Labels of the audit filter by the first word of the operation name. */
export const auditGroups: Readonly<Record<string, string>> = {
  dags: 'Workflows',
  runs: 'Runs',
  approvals: 'Approvals',
  queues: 'Queues',
  schedules: 'Schedules',
  workers: 'Workers',
  webhooks: 'Sent webhooks',
  receivers: 'Received webhooks',
  gateway: 'Gateway',
  users: 'Users',
  tokens: 'API tokens',
  auth: 'Sign-in',
};
