import { isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml';
import { follow, textOfNode } from '../../outline/fields.ts';
import type { StepDraft } from '../../outline/step-drafts.ts';
import type { OpenWorkflow } from '../open-workflow.ts';
import type { TextKind } from './find-id-uses.ts';

/** A string of a workflow that may contain references. */
export interface ExpandedText {
  readonly node: Scalar<string>;
  readonly kind: TextKind;
}

/** Fields of a step that are not expanded. */
const literalStepFields = new Set([
  'name',
  'id',
  'description',
  'depends',
  'output',
  'signalOnStop',
  'inputFiles',
  'outputFiles',
  'onPartition',
  'type',
  'shell',
]);

/** Fields of a workflow that are not expanded, or are evaluated before any step has run. */
const literalFields = new Set([
  'name',
  'group',
  'description',
  'type',
  'steps',
  'handlerOn',
  'schedule',
  'timezone',
  'tags',
  'queue',
]);

/** Lists all strings of a workflow that may refer to a step. A string that an anchor shares is listed once. */
export function listTexts(workflow: OpenWorkflow): ExpandedText[] {
  const found = new Map<Scalar<string>, TextKind>();
  const collect = (node: unknown, kind: TextKind): void => {
    const value = follow(node, workflow.document);
    if (isScalar(value) && typeof value.value === 'string') found.set(value as Scalar<string>, kind);
    else if (isSeq(value)) for (const item of value.items) collect(item, 'template');
    else if (isMap(value)) for (const pair of value.items) collect(pair.value, 'template');
  };
  for (const [name, { value }] of workflow.fields) if (!literalFields.has(name)) collect(value, 'template');
  const shell = workflow.fields.get('shell')?.value ?? null;
  for (const draft of [...workflow.drafts, ...workflow.handlers]) {
    if (isScalar(draft.node)) collect(draft.node, isForShell(draft, shell, workflow) ? 'shell' : 'template');
    for (const [name, { value }] of draft.fields) {
      if (literalStepFields.has(name)) continue;
      const isShellText = name === 'command' || name === 'script';
      if (isShellText && isForOtherInterpreter(draft, shell, workflow)) continue;
      collect(value, isShellText && isForShell(draft, shell, workflow) ? 'shell' : 'template');
    }
  }
  return Array.from(found, ([node, kind]) => ({ node, kind }));
}

/** Kinds whose command and script are expanded by a shell; for other executors, the engine expands them. */
const shellKinds = new Set(['command', 'script', 'shell', '', 'parallel', 'container', 'docker', 'ssh']);
const shells = new Set(['sh', 'bash', 'zsh', 'ksh', 'ash', 'dash', 'nix-shell']);

function isForShell(draft: StepDraft, shell: Node | null, workflow: OpenWorkflow): boolean {
  return shellKinds.has(draft.kind.kind) && !isForOtherInterpreter(draft, shell, workflow);
}

/**
 * Whether the text is for another interpreter, such as Python or PowerShell, and is not expanded (docs/expansion.md,
 * Other interpreters).
 */
function isForOtherInterpreter(draft: StepDraft, shell: Node | null, { document }: OpenWorkflow): boolean {
  if (!shellKinds.has(draft.kind.kind)) return false;
  const shellValue = draft.fields.get('shell')?.value ?? null;
  const text = textOf(draft);
  const interpreter = shellValue === null ? /^#!(.*)/.exec(text)?.[1] : undefined;
  const words = interpreter?.trim().split(/\s+/) ?? wordsOf(shellValue ?? shell, document);
  if (words.length === 0) return false;
  const program = words.find(
    (word) => !word.startsWith('-') && !word.includes('=') && nameOf(word) !== 'env',
  );
  return program !== undefined && !shells.has(nameOf(program));
}

const textOf = ({ node, fields }: StepDraft): string =>
  textOfNode(fields.get('script')?.value) ??
  textOfNode(fields.get('command')?.value) ??
  textOfNode(node) ??
  '';

function wordsOf(shell: Node | null, document: OpenWorkflow['document']): string[] {
  if (isSeq(shell)) return shell.items.map((item) => textOfNode(follow(item, document)) ?? '');
  const text = textOfNode(shell)?.trim();
  return text === undefined || text === '' ? [] : text.split(/\s+/);
}

const nameOf = (program: string): string =>
  (program.split(/[/\\]/).at(-1) ?? '').replace(/\.exe$/i, '').toLowerCase();
