/**
 * Aliases of keys by kind of map, from Dagu and earlier versions. Spellings that differ only in case and underscores
 * need no entry.
 */
export const keyAliases = {
  workflow: {
    timeoutSec: 'timeout',
    dir: 'workingDir',
    precondition: 'preconditions',
    tz: 'timezone',
    overlapPolicy: 'overlap',
  },
  step: {
    call: 'run',
    executor: 'type',
    workingDir: 'dir',
    timeout: 'timeoutSec',
    precondition: 'preconditions',
  },
  handlers: { cancel: 'abort', canceled: 'abort', cancelled: 'abort', aborted: 'abort' },
  webhook: {
    events: 'event',
    action: 'actions',
    types: 'actions',
    'branches-ignore': 'branchesIgnore',
    'tags-ignore': 'tagsIgnore',
    'paths-ignore': 'pathsIgnore',
    'concurrency-key': 'concurrencyKey',
    condition: 'if',
  },
  container: { workDir: 'workingDir', name: 'containerName' },
} as const;
