/** The topic of a group of operations. */
export interface Resource {
  /** First part of the names of its operations and streams. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** All groups, in the order of the documentation. */
export const resources: readonly Resource[] = [
  {
    name: 'dags',
    title: 'Workflows',
    description: 'Workflow files of the home, and their runs and schedules.',
  },
  { name: 'drafts', title: 'Drafts', description: 'Unsaved workflow sources.' },
  { name: 'layouts', title: 'Layouts', description: 'Positions of steps on the canvas.' },
  { name: 'versions', title: 'Versions', description: 'Previous versions of workflow files.' },
  {
    name: 'runs',
    title: 'Runs',
    description: 'Active and finished runs, with their steps and sub-runs.',
  },
  { name: 'approvals', title: 'Approvals', description: 'Approval requests of steps, and their answers.' },
  { name: 'logs', title: 'Logs', description: 'Logs of runs and steps.' },
  { name: 'events', title: 'Events', description: 'Live events of runs.' },
  { name: 'queues', title: 'Queues', description: 'Queues and queued runs.' },
  { name: 'schedules', title: 'Schedules', description: 'Past and upcoming scheduled runs.' },
  { name: 'services', title: 'Services', description: 'Schedulers, hosts and machine resources.' },
  { name: 'workers', title: 'Workers', description: 'Workers and join tokens.' },
  { name: 'system', title: 'System', description: 'Health, version and storage of the engine.' },
  {
    name: 'config',
    title: 'Configuration',
    description: 'Settings of the installation, its mail server and its base configuration.',
  },
  { name: 'secrets', title: 'Secrets', description: 'Stored secrets, and the workflows that use them.' },
  { name: 'auth', title: 'Authentication', description: 'Login and logout.' },
  { name: 'users', title: 'Users', description: 'Users and their roles.' },
  { name: 'tokens', title: 'API tokens', description: 'API tokens for programs.' },
  {
    name: 'webhooks',
    title: 'Webhooks',
    description: 'Webhooks that Stepwright sends, and their deliveries.',
  },
  {
    name: 'receivers',
    title: 'Webhook receivers',
    description: 'URLs that receive webhooks, their deliveries and the runs they start.',
  },
  {
    name: 'pings',
    title: 'Pings',
    description: 'Checks of jobs that run elsewhere, by their pings.',
  },
  {
    name: 'channels',
    title: 'Notification channels',
    description: 'Services that notifications are sent to.',
  },
  {
    name: 'rules',
    title: 'Notification rules',
    description: 'Who is notified of what.',
  },
  {
    name: 'notifications',
    title: 'Notifications',
    description: 'Sent notifications, and who is notified of a workflow.',
  },
  {
    name: 'gateway',
    title: 'Database gateway',
    description: 'A PostgreSQL database as a REST API.',
  },
  { name: 'quotes', title: 'Quotes', description: 'Quotes about the Dispatcher.' },
  { name: 'audit', title: 'Audit log', description: 'Changes and who made them.' },
];

/** Returns the name of the resource of an operation or stream. */
export const getResource = (operation: string): string => operation.slice(0, operation.indexOf('.'));
