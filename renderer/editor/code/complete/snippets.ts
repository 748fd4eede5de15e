import { snippetCompletion, type Completion } from '@codemirror/autocomplete';

interface StepSnippet {
  readonly label: string;
  readonly detail: string;
  /**
   * `#{…}` is a field, `\\{` and `\\}` are literal braces; further lines are indented relative to the first.
   */
  readonly lines: readonly string[];
}

const steps: readonly StepSnippet[] = [
  {
    label: 'step: command',
    detail: 'shell command',
    lines: ['name: #{name}', 'command: #{echo hello}'],
  },
  {
    label: 'step: script',
    detail: 'multi-line script',
    lines: ['name: #{name}', 'script: |', '  #{set -eu}', '  #{echo hello}'],
  },
  {
    label: 'step: with retries',
    detail: 'retries on failure',
    lines: [
      'name: #{name}',
      'command: #{./fetch.sh}',
      'retryPolicy:',
      '  limit: #{3}',
      '  intervalSec: #{10}',
    ],
  },
  {
    label: 'step: for each item',
    detail: 'runs items in parallel',
    lines: [
      'name: #{name}',
      'command: #{echo} $\\{ITEM\\}',
      'parallel:',
      '  items: [#{a, b}]',
      '  maxConcurrent: #{2}',
    ],
  },
  {
    label: 'step: sub-workflow',
    detail: 'runs another workflow',
    lines: ['name: #{name}', 'run: #{other}', 'params:', '  #{KEY}: #{value}'],
  },
  {
    label: 'step: HTTP request',
    detail: 'type http',
    lines: ['name: #{name}', 'type: http', 'command: GET #{https://example.com}'],
  },
  {
    label: 'step: container',
    detail: 'command in a container',
    lines: ['name: #{name}', 'container:', '  image: #{alpine:3}', 'command: #{echo hello}'],
  },
  {
    label: 'step: repeat until',
    detail: 'repeats until a condition is met',
    lines: [
      'name: #{name}',
      'command: #{curl -sf http://localhost/health}',
      'repeatPolicy:',
      '  repeat: until',
      '  exitCode: [0]',
      '  intervalSec: #{5}',
      '  limit: #{30}',
    ],
  },
  {
    label: 'step: with a condition',
    detail: 'skipped if the condition is not met',
    lines: [
      'name: #{name}',
      'command: #{./deploy.sh}',
      'preconditions:',
      '  - condition: "$\\{#{STAGE}\\}"',
      '    expected: #{prod}',
    ],
  },
];

/** Snippets of whole steps. @param dash whether the snippet includes the dash */
export function stepSnippets(dash: boolean): readonly Completion[] {
  return steps.map(({ label, detail, lines }) => {
    const template = dash
      ? lines.map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`))
      : // The first line is already after its dash, two columns in.
        lines.map((line, index) => (index === 0 ? line : `  ${line}`));
    return snippetCompletion(numberFields(template.join('\n')), { label, detail, type: 'text', boost: -10 });
  });
}

/** CodeMirror would treat a field with a number as its index, without a default text. */
function numberFields(template: string): string {
  let count = 0;
  return template.replaceAll(/#\{([^{}]*)\}/g, (_, text: string) => {
    count += 1;
    return `#{${count}:${text}}`;
  });
}
