import { executorTypes, stepTypes } from '../../../core/model/step-types.ts';
import type { ActionKind } from '../../format/labels.ts';

/** A template of a step. */
export interface Snippet {
  readonly id: string;
  readonly label: string;
  /** A short description; also searched. */
  readonly words: string;
  readonly kind: ActionKind;
  readonly group: 'Steps' | 'Common steps';
  /** Name of the new step; made unique. */
  readonly name: string;
  /** The step as YAML without indentation and without its name. */
  readonly yaml: string;
}

const step = (
  id: string,
  label: string,
  words: string,
  fields: Omit<Snippet, 'id' | 'label' | 'words' | 'group'> & Partial<Pick<Snippet, 'group'>>,
): Snippet => ({ id, label, words, group: 'Steps', ...fields });

const steps: readonly Snippet[] = [
  step('command', 'Command', 'Runs a shell command', {
    kind: 'command',
    name: 'command',
    yaml: 'command: echo hello\n',
  }),
  step('script', 'Script', 'Runs a script in shell, Python or another language', {
    kind: 'script',
    name: 'script',
    yaml: 'script: |\n  set -eu\n  echo "first"\n  echo "second"\n',
  }),
  step('dag', 'Sub-workflow', 'Runs another workflow and waits for it', {
    kind: 'dag',
    name: 'sub-workflow',
    yaml: 'run: other-workflow\nparams: "KEY=value"\n',
  }),
  ...executorTypes.map((type) => {
    const { label, description, snippet } = stepTypes[type];
    return step(type, label, description.replace(/\.$/, ''), { kind: type, ...snippet });
  }),
];

const jobs: readonly Snippet[] = [
  step('run-file', 'Run a script file', 'Runs a script from a folder', {
    group: 'Common steps',
    kind: 'command',
    name: 'run-script',
    yaml: 'dir: ~/project\ncommand: ./run.sh\n',
  }),
  step('python', 'Python script', 'Runs a Python script', {
    group: 'Common steps',
    kind: 'script',
    name: 'python',
    yaml: 'script: |\n  #!/usr/bin/env python3\n  print("hello")\n',
  }),
  step('http-retry', 'HTTP with retry', 'Sends a request and retries on failure', {
    group: 'Common steps',
    kind: 'http',
    name: 'fetch',
    yaml: 'type: http\ncommand: GET https://example.com/api\nconfig:\n  timeout: 30\nretryPolicy:\n  limit: 3\n  intervalSec: 5\n  backoff: 2\noutput: ANSWER\n',
  }),
  step('retry', 'Command with retry', 'Retries the command on failure', {
    group: 'Common steps',
    kind: 'command',
    name: 'try',
    yaml: 'command: ./flaky.sh\nretryPolicy:\n  limit: 3\n  intervalSec: 10\n',
  }),
  step('wait-file', 'Wait for a file', 'Waits until a file exists', {
    group: 'Common steps',
    kind: 'command',
    name: 'wait-for-file',
    yaml: 'command: test -f /tmp/ready.txt\ncontinueOn:\n  failure: true\nrepeatPolicy:\n  repeat: until\n  condition: test -f /tmp/ready.txt\n  intervalSec: 10\n  limit: 360\n',
  }),
  step('loop', 'Loop over items', 'Runs a step for each item in parallel', {
    group: 'Common steps',
    kind: 'dag',
    name: 'each-item',
    yaml: 'run: other-workflow\nparallel:\n  items: [one, two, three]\n  maxConcurrent: 2\n',
  }),
  step('only-if', 'Condition', 'Runs only if a condition is met', {
    group: 'Common steps',
    kind: 'command',
    name: 'only-if',
    yaml: 'preconditions:\n  - condition: test -d /data\ncommand: echo "there is data"\n',
  }),
  step('keep-going', 'Continue on failure', 'Continues even if this step fails', {
    group: 'Common steps',
    kind: 'command',
    name: 'optional',
    yaml: 'command: ./optional.sh\ncontinueOn:\n  failure: true\n',
  }),
  step('output', 'Save output', 'Saves the output in a variable for later steps', {
    group: 'Common steps',
    kind: 'command',
    name: 'measure',
    yaml: 'command: date +%F\noutput: TODAY\n',
  }),
  step('time-limit', 'Timeout', 'Stops the step after a time limit', {
    group: 'Common steps',
    kind: 'command',
    name: 'limited',
    yaml: 'command: ./long.sh\ntimeoutSec: 600\n',
  }),
  step('unpack', 'Extract archive', 'Extracts a tar or zip file', {
    group: 'Common steps',
    kind: 'archive',
    name: 'unpack',
    yaml: 'type: archive\ncommand: extract\nconfig:\n  source: folder.tar.gz\n  destination: out\n',
  }),
  step('webhook', 'Post to a webhook', 'Sends JSON to a URL', {
    group: 'Common steps',
    kind: 'http',
    name: 'notify',
    yaml: 'type: http\ncommand: POST https://example.com/hook\nconfig:\n  headers:\n    Content-Type: application/json\n  body: \'{"text": "done"}\'\n',
  }),
];

/** A snippet for each step type, then common jobs. */
export const snippets: readonly Snippet[] = [...steps, ...jobs];

/** Returns the snippets that contain every word of a query. */
export function searchSnippets(query: string): readonly Snippet[] {
  const searchWords = query.toLowerCase().split(/\s+/).filter(Boolean);
  return snippets.filter(({ label, words, kind }) => {
    const text = `${label} ${words} ${kind}`.toLowerCase();
    return searchWords.every((word) => text.includes(word));
  });
}
