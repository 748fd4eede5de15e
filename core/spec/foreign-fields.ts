import { authoredKeys } from './authored-keys.ts';

/**
 * Fields of GitHub Actions, GitLab CI, Airflow, Argo Workflows and Kestra with a suggestion. Keys are in lower case,
 * without `_` and `-`. Fields that Stepwright supports itself are recognized before.
 */

const depends = 'Use "depends: [build]"';
const conditions = 'Use "preconditions:", such as "- test -f ready"';
const retry = 'Use "retryPolicy: { limit: 3, intervalSec: 10 }"';
const items = 'Use "parallel: [a, b]"; each item is "${ITEM}"';
const env = 'Use "env: { KEY: value }"';
const image = 'Use "container: { image: alpine:3 }"';
const seconds = 'Use "timeoutSec: 600", in seconds';
const failure = 'Use "continueOn: { failure: true }"';
const worker = 'Use "workerSelector: { os: linux }"';
const schedule = 'Use "schedule: \'30 6 * * 1-5\'"';
const steps = 'Use a list of steps under "steps:"';
const init = 'Use "handlerOn: { init: { command: ./prepare.sh } }"';
const exit = 'Use "handlerOn: { exit: { command: ./clean-up.sh } }"';
const perStep = 'Move it to a step under "steps:"';
const repeat = 'Use "repeatPolicy: { repeat: until, condition: test -f done, intervalSec: 10 }"';

const inWorkflow: Readonly<Record<string, string>> = {
  afterscript: exit,
  apiversion: 'Remove it: workflow files have no version',
  arguments: 'Use "params: { NAME: default }"',
  beforescript: init,
  concurrency: 'Use "maxActiveRuns: 1", or "queue: name"',
  cron: schedule,
  dagid: 'Use "name: my-workflow"',
  defaultargs: 'Move common fields to the base configuration',
  defaults: 'Move common fields to the base configuration',
  entrypoint: 'Remove it: runs start with the first step',
  environment: env,
  finally: exit,
  id: 'Use "name: my-workflow"',
  if: conditions,
  image,
  inputs: 'Use "params: { NAME: default }"',
  jobs: steps,
  kind: 'Remove it: every file is a workflow',
  listeners: 'Use "on: { webhook: { event: push } }"',
  metadata: 'Use "name:" and "tags:" at the top level',
  namespace: 'Use "group: name"',
  onexit: exit,
  onfailure: 'Use "handlerOn: { failure: { command: ./alert.sh } }"',
  onsuccess: 'Use "handlerOn: { success: { command: ./report.sh } }"',
  parallelism: 'Use "maxActiveSteps: 4"',
  permissions: 'Remove it: steps run with the permissions of the engine',
  retries: `Use "retryPolicy:" in each step`,
  retry: `Use "retryPolicy:" in each step`,
  runname: 'Use "name: my-workflow"',
  runson: worker,
  scheduleinterval: schedule,
  spec: 'Move its fields to the top level',
  stages: 'Use "depends:" in the steps, or keep them in order',
  startdate: 'Remove it: schedules take effect when the file is saved',
  steptemplates: steps,
  strategy: perStep,
  tasks: steps,
  templates: 'Write each template as a separate document after "---", and use "run: name"',
  timeoutminutes: 'Use "timeout: 600", in seconds',
  triggers: 'Use "schedule:", or "on: { webhook: { event: push } }"',
  variables: env,
  vars: env,
  when: conditions,
};

const inStep: Readonly<Record<string, string>> = {
  after: depends,
  afterscript: 'Add a separate step after this one',
  allowfailure: failure,
  args: 'Use "command: [program, argument]"',
  arguments: 'Use "params: KEY=value" with "run: name"',
  artifacts: 'Use "outputFiles: [report.html]"',
  bashcommand: 'Use "command: ./load.sh"',
  beforescript: 'Add a separate step before this one',
  cmd: 'Use "command: ./load.sh"',
  commands: 'Put the commands in "script: |"',
  continueonerror: failure,
  cron: 'Use "schedule:" at the top level of the workflow',
  delay: 'Add a step before this one, such as "command: sleep 10"',
  dependencies: depends,
  dependson: depends,
  else: 'Add a separate step with the opposite "preconditions:"',
  environment: env,
  foreach: items,
  if: conditions,
  ignoreerrors: failure,
  image,
  inputs: 'Use "env: { KEY: value }", or "params: KEY=value" with "run: name"',
  items,
  job: 'Use "run: name" to run another workflow',
  loop: items,
  matrix: items,
  maxretries: retry,
  needs: depends,
  only: conditions,
  outputs: 'Use "output: NAME" to save the output',
  pool: 'Use "queue: name" at the top level of the workflow',
  pythoncallable: 'Use "command: python3" and "script: |"',
  repeat,
  requires: depends,
  retries: retry,
  retry,
  retrydelay: retry,
  retrystrategy: retry,
  rules: conditions,
  runson: worker,
  schedule: 'Use "schedule:" at the top level of the workflow',
  secrets: 'Use "secrets:" at the top level of the workflow',
  sleep: 'Use "command: sleep 10"',
  stage: depends,
  steps: 'Write them as a separate workflow after "---", and use "run: name"',
  strategy: items,
  task: 'Use "run: name" to run another workflow, or "command:"',
  tasks: 'Write them as a separate workflow after "---", and use "run: name"',
  template: 'Use "run: name" to run another workflow',
  timeoutminutes: seconds,
  triggerrule: failure,
  unless: 'Use "preconditions:" with "negate: true"',
  until: repeat,
  upstream: depends,
  uses: 'Use "type: gha" and the action as "command: actions/checkout@v4"',
  variables: env,
  vars: env,
  when: conditions,
  while: repeat,
  with: 'Use "params: { KEY: value }" with "type: gha"',
  withitems: items,
  withparam: items,
};

/** Suggests what to write for a field of another workflow language; undefined if it is unknown. */
export function suggestField(written: string, kind: 'workflow' | 'step'): string | undefined {
  const words = kind === 'workflow' ? inWorkflow : inStep;
  const folded = written.toLowerCase().replaceAll(/[_-]/g, '');
  return Object.hasOwn(words, folded) ? `${words[folded]}.` : undefined;
}

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

/** Removes case and underscores: `working_dir` and `WorkingDir` become `workingdir`. */
export function normalizeKey(key: string): string {
  return key.replaceAll('_', '').toLowerCase();
}

/** A kind of map whose keys have several spellings. */
export type FieldOwner = 'workflow' | 'step' | 'handlers' | 'stepType';

const spellings = new Map<FieldOwner, ReadonlyMap<string, string>>();

function getCanonicalNames(kind: FieldOwner): ReadonlyMap<string, string> {
  const cached = spellings.get(kind);
  if (cached !== undefined) return cached;
  const aliases: Readonly<Record<string, string>> = kind === 'stepType' ? {} : keyAliases[kind];
  const table = new Map<string, string>(authoredKeys[kind].map((key) => [normalizeKey(key), key]));
  for (const [alias, key] of Object.entries(aliases)) table.set(normalizeKey(alias), key);
  for (const key of authoredKeys[kind]) table.set(key, key);
  spellings.set(kind, table);
  return table;
}

/** Returns the canonical name of a key; undefined if the key is unknown. */
export function canonicalName(written: string, kind: FieldOwner): string | undefined {
  const table = getCanonicalNames(kind);
  return table.get(written) ?? table.get(normalizeKey(written));
}
