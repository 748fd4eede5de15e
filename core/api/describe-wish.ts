import type { OperationName, StreamName } from '../contract/operations.ts';

/** What somebody wants who calls an operation, as it follows "may not"; those that every role may do have none. */
const wishes: { readonly [Name in OperationName | StreamName]?: string } = {
  'dags.start': 'start a workflow',
  'dags.create': 'create a workflow file',
  'dags.updateSpec': 'change a workflow file',
  'dags.rename': 'rename a workflow file',
  'dags.delete': 'delete a workflow file',
  'dags.stopAll': 'stop the runs of a workflow',
  'dags.suspend': 'suspend or resume the schedule of a workflow',
  'dags.enqueue': 'put a run of a workflow into a queue',
  'dags.dry': 'do a dry run of a workflow',
  'runs.stop': 'stop a run',
  'runs.start': 'start a run from a text',
  'runs.delete': 'delete a run from the history',
  'runs.setStepStatus': 'set the status of a step',
  'runs.setSubRunStepStatus': 'set the status of a step of a sub-run',
  'runs.retry': 'retry a run',
  'runs.reschedule': 'run an earlier run again as a new one',
  'runs.restart': 'restart a run',
  'runs.enqueue': 'put a run of a text into a queue',
  'runs.dequeue': 'take a run out of its queue',
  'runs.dry': 'do a dry run of a text',
  'queues.dequeue': 'take a run out of a queue',
  'queues.pause': 'pause a queue',
  'queues.drain': 'let a queue run dry',
  'queues.resume': 'resume a queue',
  'users.list': 'list the users',
  'users.create': 'add a user',
  'users.get': 'see other users',
  'users.update': 'change the name or the role of a user',
  'users.delete': 'remove a user',
  'users.resetPassword': 'reset the password of a user',
};

/** What the call of an operation is about, in words for the one who may not make it; undefined where nobody has said so. */
export const describeWish = (name: OperationName | StreamName): string | undefined => wishes[name];
