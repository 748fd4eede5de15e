import type { OperationName, StreamName } from './operations.ts';

/**
 * What a caller of an operation wants to do, to follow "may not" and for the audit log. Absent for operations that
 * every role may call and that are not logged.
 */
const labels: { readonly [Name in OperationName | StreamName]?: string } = {
  'dags.start': 'start a workflow',
  'dags.create': 'create a workflow file',
  'dags.updateSpec': 'change a workflow file',
  'dags.rename': 'rename a workflow file',
  'dags.duplicate': 'duplicate a workflow file',
  'dags.move': 'move a workflow file',
  'dags.updateFields': 'change fields of a workflow file',
  'dags.delete': 'delete a workflow file',
  'dags.restore': 'restore a workflow file',
  'drafts.list': 'list drafts of workflows',
  'drafts.get': 'see the draft of a workflow',
  'drafts.put': 'save a draft of a workflow',
  'drafts.delete': 'discard the draft of a workflow',
  'drafts.getNew': 'see the draft of a workflow',
  'drafts.putNew': 'save a draft of a workflow',
  'drafts.deleteNew': 'discard the draft of a workflow',
  'layouts.put': 'change the layout of a workflow',
  'dags.stopAll': 'stop the runs of a workflow',
  'dags.suspend': 'suspend or resume the schedule of a workflow',
  'schedules.pause': 'pause all schedules',
  'schedules.resume': 'resume all schedules',
  'services.startScheduler': 'start the scheduler',
  'dags.enqueue': 'queue a run of a workflow',
  'dags.dry': 'start a dry run of a workflow',
  'runs.stop': 'stop a run',
  'runs.start': 'start a run of an unsaved workflow',
  'runs.delete': 'delete a run from the history',
  'runs.deleteAll': 'delete the runs of a workflow',
  'runs.setNote': 'change the note of a run',
  'runs.setStepStatus': 'set the status of a step',
  'runs.setSubRunStepStatus': 'set the status of a step of a sub-run',
  'approvals.answer': 'answer an approval request',
  'runs.retry': 'retry a run',
  'runs.reschedule': 'run an earlier run again',
  'runs.restart': 'restart a run',
  'runs.enqueue': 'queue a run of an unsaved workflow',
  'runs.dequeue': 'remove a run from its queue',
  'runs.dry': 'start a dry run of an unsaved workflow',
  'queues.dequeue': 'remove a run from a queue',
  'queues.clear': 'clear a queue',
  'queues.move': 'change the order of a queue',
  'queues.pause': 'pause a queue',
  'queues.drain': 'drain a queue',
  'queues.resume': 'resume a queue',
  'queues.setLimit': 'set the limit of a queue',
  'gateway.catalog': 'see the tables of the database gateway',
  'gateway.reload': 'reload the schema of the database gateway',
  'gateway.request': 'send a request to the database gateway',
  'webhooks.list': 'see the webhooks',
  'webhooks.get': 'see a webhook',
  'webhooks.create': 'create a webhook',
  'webhooks.update': 'change a webhook',
  'webhooks.delete': 'delete a webhook',
  'webhooks.rotateSecret': 'rotate the secret of a webhook',
  'webhooks.ping': 'ping a webhook',
  'webhooks.test': 'test a webhook',
  'webhooks.deliveries': 'see the deliveries of a webhook',
  'webhooks.delivery': 'see a delivery of a webhook',
  'webhooks.redeliver': 'redeliver a webhook delivery',
  'webhooks.replay': 'redeliver events to a webhook',
  'webhooks.messages': 'see the pending messages of webhooks',
  'webhooks.retryMessage': 'redeliver an event to a webhook',
  'webhooks.emit': 'send an event to webhooks',
  'receivers.create': 'create a webhook receiver',
  'receivers.update': 'change a webhook receiver',
  'receivers.delete': 'delete a webhook receiver',
  'receivers.rotate': 'rotate the secret of a webhook receiver',
  'receivers.delivery': 'see the body of a received webhook',
  'receivers.replay': 'replay a received webhook',
  'workers.drain': 'drain a worker',
  'workers.resume': 'resume a worker',
  'workers.remove': 'remove a worker',
  'workers.listTokens': 'see join tokens for workers',
  'workers.createToken': 'create a join token for workers',
  'workers.deleteToken': 'revoke a join token for workers',
  'system.check': 'check the database',
  'audit.list': 'see the audit log',
  'auth.login': 'sign in',
  'auth.logout': 'sign out',
  'auth.changePassword': 'change your own password',
  'tokens.create': 'create an API token',
  'tokens.delete': 'revoke an API token',
  'users.list': 'list the users',
  'users.create': 'create a user',
  'users.get': 'see other users',
  'users.update': 'change the name or role of a user',
  'users.delete': 'delete a user',
  'users.resetPassword': 'reset the password of a user',
};

/** Describes the purpose of an operation, in lower case; undefined if there is no description. */
export const operationLabel = (name: OperationName | StreamName): string | undefined => labels[name];

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
    name: 'gateway',
    title: 'Database gateway',
    description: 'A PostgreSQL database as a REST API.',
  },
  { name: 'quotes', title: 'Quotes', description: 'Quotes about the Dispatcher.' },
  { name: 'audit', title: 'Audit log', description: 'Changes and who made them.' },
];

/** Returns the name of the resource of an operation or stream. */
export const getResource = (operation: string): string => operation.slice(0, operation.indexOf('.'));
