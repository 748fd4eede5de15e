import { snippetCompletion, type Completion } from '@codemirror/autocomplete';

interface StepSnippet {
  readonly label: string;
  readonly detail: string;
  /** `#{…}` is a field, `\\{` and `\\}` are braces; lines after the first are indented below the first. */
  readonly lines: readonly string[];
}

const steps: readonly StepSnippet[] = [
  {
    label: 'step: command',
    detail: 'a line for the shell',
    lines: ['name: #{name}', 'command: #{echo hello}'],
  },
  {
    label: 'step: script',
    detail: 'several lines',
    lines: ['name: #{name}', 'script: |', '  #{set -eu}', '  #{echo hello}'],
  },
  {
    label: 'step: with retries',
    detail: 'tried again after a failure',
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
    detail: 'several at a time',
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
    detail: 'a command in an image',
    lines: ['name: #{name}', 'container:', '  image: #{alpine:3}', 'command: #{echo hello}'],
  },
  {
    label: 'step: until it holds',
    detail: 'asks again and again',
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
    label: 'step: on a condition',
    detail: 'left out when it does not hold',
    lines: [
      'name: #{name}',
      'command: #{./deploy.sh}',
      'preconditions:',
      '  - condition: "$\\{#{STAGE}\\}"',
      '    expected: #{prod}',
    ],
  },
];

/** Whole steps, for the place of an item. @param dash whether the dash is still to be written */
export function stepSnippets(dash: boolean): readonly Completion[] {
  return steps.map(({ label, detail, lines }) => {
    const template = dash
      ? lines.map((line, index) => (index === 0 ? `- ${line}` : `  ${line}`))
      : // The first line stands behind its dash already, two columns in.
        lines.map((line, index) => (index === 0 ? line : `  ${line}`));
    return snippetCompletion(numberFields(template.join('\n')), { label, detail, type: 'text', boost: -10 });
  });
}

/** A field that holds a number would be taken for one without text. */
function numberFields(template: string): string {
  let count = 0;
  return template.replaceAll(/#\{([^{}]*)\}/g, (_, text: string) => {
    count += 1;
    return `#{${count}:${text}}`;
  });
}
