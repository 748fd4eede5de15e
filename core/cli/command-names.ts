/** Commands by module. */
export const commandsByModule = {
  run: ['start', 'retry', 'restart', 'stop', 'recover', 'note'],
  exec: ['exec'],
  server: ['server', 'start-all', 'scheduler'],
  service: ['service'],
  approval: ['approvals', 'approve', 'reject'],
  queue: ['enqueue', 'dequeue', 'queues'],
  read: ['validate', 'dry', 'status', 'history', 'logs', 'artifacts', 'version'],
  workflow: ['dags', 'suspend', 'resume', 'rename', 'duplicate', 'delete'],
  import: ['import'],
  maintenance: ['cleanup', 'backup', 'restore', 'check', 'salvage', 'migrate'],
  db: ['db'],
  account: ['users', 'tokens', 'auth'],
  webhook: ['webhooks'],
  gateway: ['gateway'],
  coordinator: ['coordinator'],
  workers: ['workers'],
  worker: ['worker'],
  config: ['config'],
  schema: ['schema'],
  quote: ['quote'],
  completion: ['completion', '__complete'],
  help: ['help'],
} as const satisfies Record<string, readonly string[]>;

/** All command names, for suggestions. */
export const commandNames: readonly string[] = Object.values(commandsByModule)
  .flat()
  .filter((name) => !name.startsWith('__'));
