/** What changes are about, by the first word of their operations; what the trail can be narrowed to. */
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
