/** What a group of operations is about. */
export interface Resource {
  /** First part of the names of its operations and streams. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** Every group, in the order in which people read of them. */
export const resources: readonly Resource[] = [
  { name: 'dags', title: 'Workflows', description: 'Workflow files of the home, and what starts from them.' },
  { name: 'drafts', title: 'Drafts', description: 'Texts of workflows that have not been saved.' },
  { name: 'layouts', title: 'Layouts', description: 'Where steps are on the canvas.' },
  { name: 'versions', title: 'Versions', description: 'Texts that workflow files have had.' },
  {
    name: 'runs',
    title: 'Runs',
    description: 'Runs under way and in the history, with their steps and sub-runs.',
  },
  { name: 'approvals', title: 'Approvals', description: 'What steps ask people, and the answers.' },
  { name: 'logs', title: 'Logs', description: 'What runs and their steps have written.' },
  { name: 'events', title: 'Events', description: 'What happens to runs, as it happens.' },
  { name: 'queues', title: 'Queues', description: 'Queues, and the runs that wait in them.' },
  { name: 'schedules', title: 'Schedules', description: 'What schedules have done and will do.' },
  { name: 'services', title: 'Services', description: 'Schedulers, hosts and the resources of the machine.' },
  { name: 'workers', title: 'Workers', description: 'Workers of coordinators.' },
  { name: 'system', title: 'System', description: 'The engine itself.' },
  { name: 'auth', title: 'Authentication', description: 'Logging in and out.' },
  { name: 'users', title: 'Users', description: 'Who may log in, and what they may do.' },
  { name: 'tokens', title: 'API tokens', description: 'Credentials for programs.' },
  {
    name: 'webhooks',
    title: 'Webhooks that are sent',
    description: 'Who is told of what happens, and what came of telling them.',
  },
  {
    name: 'receivers',
    title: 'Receivers of webhooks',
    description: 'Addresses that take webhooks, what came to them, and what that has started.',
  },
  {
    name: 'gateway',
    title: 'Database gateway',
    description: 'A PostgreSQL database over REST: what it shows, and a request to try.',
  },
  { name: 'quotes', title: 'Quotes', description: 'Words about the Dispatcher, for idle moments.' },
  { name: 'audit', title: 'Audit trail', description: 'Who has changed what.' },
];

/** Name of the resource that an operation or stream belongs to. */
export const resourceOf = (operation: string): string => operation.slice(0, operation.indexOf('.'));
