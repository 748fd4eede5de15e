import {
  snippetCompletion,
  type Completion,
  autocompletion,
  startCompletion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import type { EditorView } from '@codemirror/view';
import { authoredSchema } from '../../../core/spec/authored.ts';
import type { Analysis } from '../../../core/edit/build-outline.ts';
import type { PreviousOutputs } from '../run/test-store.ts';
import {
  readContext,
  readSiblings,
  type CursorContext,
  getBlockKind,
  getBranches,
  findProperty,
  keysAt,
  getEnumValues,
  walkSchema,
  type Schema,
} from './schema-context.ts';
import {
  stepTypeNames,
  listReferences,
  listSteps,
  type ReferenceName,
  type ExternalNames,
} from './reference-names.ts';

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

const root = authoredSchema as unknown as Schema;

/** Dependencies of completion. */
export interface CompletionPorts {
  readonly analysis: () => Analysis | undefined;
  readonly names: () => Promise<ExternalNames>;
  /** Outputs of steps in earlier runs. */
  readonly outputs: () => PreviousOutputs;
  /** Top-level fields that the file cannot have. */
  readonly hidden?: readonly string[];
}

/** Completion of keys, values, names and references in workflow files. */
export function yamlCompletion(ports: CompletionPorts) {
  return autocompletion({
    override: [(context) => complete(context, ports)],
    icons: false,
    defaultKeymap: false,
  });
}

/** Returns the completions at the cursor. */
export async function complete(
  context: CompletionContext,
  ports: CompletionPorts,
): Promise<CompletionResult | null> {
  const text = context.state.doc.toString();
  const reference = completeReference(context, text, ports);
  if (reference) return reference;
  const cursor = readContext(text, context.pos);
  if (isInComment(context)) return null;
  if (cursor.word === '' && !context.explicit && !followsSpace(context, cursor)) return null;
  const options =
    cursor.kind === 'value'
      ? await valueOptions(cursor, ports)
      : [...keyOptions(text, context.pos, cursor, ports.hidden), ...(await itemOptions(cursor, ports))];
  return options.length === 0 ? null : { from: cursor.from, options, validFor: /^[\w.-]*$/ };
}

const isInComment = ({ state, pos }: CompletionContext): boolean => {
  const { text, from } = state.doc.lineAt(pos);
  return /(?:^|\s)#/.test(text.slice(0, pos - from));
};

/** Values are offered as soon as there is a space before the cursor. */
const followsSpace = ({ state, pos }: CompletionContext, { kind }: CursorContext): boolean =>
  kind === 'value' && state.sliceDoc(pos - 2, pos) === ': ';

const referencePattern = /\$\{([\w.-]*)$/;

function completeReference(
  { state, pos }: CompletionContext,
  text: string,
  { analysis, outputs }: CompletionPorts,
): CompletionResult | null {
  const line = state.doc.lineAt(pos);
  const match = referencePattern.exec(line.text.slice(0, pos - line.from));
  if (!match) return null;
  const closes = state.sliceDoc(pos, pos + 1) === '}' ? '' : '}';
  return {
    from: pos - match[1]!.length,
    options: listReferences(text, analysis(), outputs()).map(({ name, detail }) => ({
      label: name,
      detail,
      type: 'variable',
      apply: (view: EditorView, _chosen: Completion, from: number, to: number) => {
        view.dispatch({
          changes: { from, to, insert: name + closes },
          selection: { anchor: from + name.length + 1 },
          userEvent: 'input.complete',
        });
      },
    })),
    validFor: /^[\w.-]*$/,
  };
}

function keyOptions(
  text: string,
  at: number,
  cursor: CursorContext,
  hidden: readonly string[] = [],
): Completion[] {
  const present = readSiblings(text, at, cursor.column);
  return [...keysAt(root, cursor.path)]
    .filter(([key]) => !present.has(key) && !(cursor.path.length === 0 && hidden.includes(key)))
    .map(([key, schema], index) => ({
      label: key,
      type: 'property',
      ...(schema.description !== undefined && { info: schema.description }),
      // In schema order, most used first.
      boost: -index / 100,
      apply: applyKey(key, schema, cursor.column),
    }));
}

function applyKey(key: string, schema: Schema, column: number): Completion['apply'] {
  return (view, _chosen, from, to) => {
    const block = getBlockKind(schema);
    const hasColon = /^\s*:/.test(view.state.sliceDoc(to, to + 4));
    const tail = hasColon
      ? ''
      : block === undefined
        ? ': '
        : `:\n${' '.repeat(column + 2)}${block === 'list' ? '- ' : ''}`;
    view.dispatch({
      changes: { from, to, insert: key + tail },
      selection: { anchor: from + key.length + tail.length },
      userEvent: 'input.complete',
    });
    if (getEnumValues(schema).length > 0 || key === 'depends' || key === 'queue') startCompletion(view);
  };
}

async function valueOptions(cursor: CursorContext, ports: CompletionPorts): Promise<Completion[]> {
  const found = walkSchema(root, cursor.path).flatMap((schema) =>
    getBranches(schema).flatMap((branch) => findProperty(branch, cursor.key ?? '') ?? []),
  );
  const named = await namesFor(found[0]?.name ?? '', cursor, ports);
  if (named) return named.map(({ name, detail }) => ({ label: name, detail, type: 'constant' }));
  const values = found.flatMap(({ schema }) => getEnumValues(schema));
  const options = values.map(({ value, description }) => ({
    label: value,
    type: 'enum',
    ...(description !== undefined && { info: description }),
  }));
  return options.length > 0 ? options : found.flatMap(({ schema }) => exampleOptions(schema));
}

/** If the schema lists no values, its examples are offered. */
function exampleOptions({ examples = [] }: Schema): Completion[] {
  return examples
    .filter((example) => typeof example === 'string' || typeof example === 'number')
    .filter((example) => !String(example).includes('\n'))
    .map((example) => ({ label: writeScalar(example), detail: 'example', type: 'text' }));
}

const writeScalar = (value: string | number): string =>
  typeof value === 'string' && /^[-?:,[\]{}#&*!|>'"%@`]|:\s|\s#|^\s|\s$/.test(value)
    ? JSON.stringify(value)
    : String(value);

async function itemOptions(cursor: CursorContext, ports: CompletionPorts): Promise<Completion[]> {
  const parent = cursor.path.at(-1) === 0 ? cursor.path.at(-2) : cursor.path.at(-1);
  if (parent === 'steps' || parent === 0)
    return isStepList(cursor) ? [...stepSnippets(cursor.kind !== 'item')] : [];
  if (cursor.kind !== 'item' || typeof parent !== 'string') return [];
  const named = await namesFor(parent, cursor, ports);
  return (named ?? []).map(({ name, detail }) => ({ label: name, detail, type: 'constant' }));
}

/** Whether the cursor is at `steps:` itself, before a dash, or in one of its items. */
const isStepList = ({ path, kind }: CursorContext): boolean =>
  path[0] === 'steps' &&
  (kind === 'item' ? path.at(-1) === 0 && !path.slice(1).some((one) => one !== 0) : path.length === 1);

async function namesFor(
  key: string,
  { path }: CursorContext,
  { analysis, names }: CompletionPorts,
): Promise<readonly ReferenceName[] | undefined> {
  const inStep = path.length > 0;
  if (key === 'depends') return listSteps(analysis());
  if (key === 'queue') return (await names()).queues.map((name) => ({ name, detail: 'queue' }));
  if (key === 'run' && inStep) return (await names()).workflows.map((name) => ({ name, detail: 'workflow' }));
  if (key === 'type' && inStep) return stepTypeNames.map((name) => ({ name, detail: 'step type' }));
  return undefined;
}
