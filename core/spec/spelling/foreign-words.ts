/**
 * Fields of GitHub Actions, GitLab CI, Airflow, Argo Workflows and Kestra, and what to write for them. Keys are in
 * lower case, without `_` and `-`; those that this language has itself are understood before.
 */

const depends = 'Write "depends: [build]"';
const conditions = 'Write "preconditions:", such as "- test -f ready"';
const retry = 'Write "retryPolicy: { limit: 3, intervalSec: 10 }"';
const items = 'Write "parallel: [a, b]"; each item is "${ITEM}"';
const env = 'Write "env: { KEY: value }"';
const image = 'Write "container: { image: alpine:3 }"';
const seconds = 'Write "timeoutSec: 600", in seconds';
const failure = 'Write "continueOn: { failure: true }"';
const worker = 'Write "workerSelector: { os: linux }"';
const schedule = 'Write "schedule: \'30 6 * * 1-5\'"';
const steps = 'Write a list of steps under "steps:"';
const init = 'Write "handlerOn: { init: { command: ./prepare.sh } }"';
const exit = 'Write "handlerOn: { exit: { command: ./clean-up.sh } }"';
const perStep = 'Steps are written under "steps:"; put it there';
const repeat = 'Write "repeatPolicy: { repeat: until, condition: test -f done, intervalSec: 10 }"';

const inWorkflow: Readonly<Record<string, string>> = {
  afterscript: exit,
  apiversion: 'Remove it: a workflow file has no version',
  arguments: 'Write "params: { NAME: default }"',
  beforescript: init,
  concurrency: 'Write "maxActiveRuns: 1", or "queue: name"',
  cron: schedule,
  dagid: 'Write "name: my-workflow"',
  defaultargs: 'Write common fields into the base configuration',
  defaults: 'Write common fields into the base configuration',
  entrypoint: 'Remove it: the run begins with the first step',
  environment: env,
  finally: exit,
  id: 'Write "name: my-workflow"',
  if: conditions,
  image,
  inputs: 'Write "params: { NAME: default }"',
  jobs: steps,
  kind: 'Remove it: every file is a workflow',
  listeners: 'Write "on: { webhook: { event: push } }"',
  metadata: 'Write "name:" and "tags:" at the top level',
  namespace: 'Write "group: name"',
  onexit: exit,
  onfailure: 'Write "handlerOn: { failure: { command: ./alert.sh } }"',
  onsuccess: 'Write "handlerOn: { success: { command: ./report.sh } }"',
  parallelism: 'Write "maxActiveSteps: 4"',
  permissions: 'Remove it: steps run with the rights of the engine',
  retries: `Write "retryPolicy:" at each step`,
  retry: `Write "retryPolicy:" at each step`,
  runname: 'Write "name: my-workflow"',
  runson: worker,
  scheduleinterval: schedule,
  spec: 'Write its fields at the top level',
  stages: 'Write "depends:" at the steps, or keep them in order',
  startdate: 'Remove it: a schedule counts from when the file is saved',
  steptemplates: steps,
  strategy: perStep,
  tasks: steps,
  templates: 'Write each template as a document of its own after "---", and run it by "run: name"',
  timeoutminutes: 'Write "timeout: 600", in seconds',
  triggers: 'Write "schedule:", or "on: { webhook: { event: push } }"',
  variables: env,
  vars: env,
  when: conditions,
};

const inStep: Readonly<Record<string, string>> = {
  after: depends,
  afterscript: 'Write it as a step of its own after this one',
  allowfailure: failure,
  args: 'Write "command: [program, argument]"',
  arguments: 'Write "params: KEY=value" beside "run: name"',
  artifacts: 'Write "outputFiles: [report.html]"',
  bashcommand: 'Write "command: ./load.sh"',
  beforescript: 'Write it as a step of its own before this one',
  cmd: 'Write "command: ./load.sh"',
  commands: 'Write the commands as the lines of "script: |"',
  continueonerror: failure,
  cron: 'Write "schedule:" at the top level of the workflow',
  delay: 'Write a step before it, such as "command: sleep 10"',
  dependencies: depends,
  dependson: depends,
  else: 'Write a step of its own with the opposite "preconditions:"',
  environment: env,
  foreach: items,
  if: conditions,
  ignoreerrors: failure,
  image,
  inputs: 'Write "env: { KEY: value }", or "params: KEY=value" beside "run: name"',
  items,
  job: 'Write "run: name" for another workflow',
  loop: items,
  matrix: items,
  maxretries: retry,
  needs: depends,
  only: conditions,
  outputs: 'Write "output: NAME" for what the step prints',
  pool: 'Write "queue: name" at the top level of the workflow',
  pythoncallable: 'Write "command: python3" and "script: |"',
  repeat,
  requires: depends,
  retries: retry,
  retry,
  retrydelay: retry,
  retrystrategy: retry,
  rules: conditions,
  runson: worker,
  schedule: 'Write "schedule:" at the top level of the workflow',
  secrets: 'Write "secrets:" at the top level of the workflow',
  sleep: 'Write "command: sleep 10"',
  stage: depends,
  steps: 'Write them as a workflow of its own after "---", and run it by "run: name"',
  strategy: items,
  task: 'Write "run: name" for another workflow, or "command:"',
  tasks: 'Write them as a workflow of its own after "---", and run it by "run: name"',
  template: 'Write "run: name" for another workflow',
  timeoutminutes: seconds,
  triggerrule: failure,
  unless: 'Write "preconditions:" with "negate: true"',
  until: repeat,
  upstream: depends,
  uses: 'Write "type: gha" and the action as "command: actions/checkout@v4"',
  variables: env,
  vars: env,
  when: conditions,
  while: repeat,
  with: 'Write "params: { KEY: value }" beside "type: gha"',
  withitems: items,
  withparam: items,
};

/** What to write in place of a field of another workflow language, in a sentence; undefined for an unknown one. */
export function translateField(written: string, kind: 'workflow' | 'step'): string | undefined {
  const words = kind === 'workflow' ? inWorkflow : inStep;
  const folded = written.toLowerCase().replaceAll(/[_-]/g, '');
  return Object.hasOwn(words, folded) ? `${words[folded]}.` : undefined;
}
