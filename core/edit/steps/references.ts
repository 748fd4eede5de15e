import { type Node, type Scalar, isMap, isScalar, isSeq } from 'yaml';
import { isStepProperty } from '../../spec/expand.ts';
import { parseTemplate, type Segment } from '../../spec/parse-template.ts';
import { scanShellText, listReferences } from '../../spec/shell/scan-shell-text.ts';
import type { TextChange } from '../text-change.ts';
import { getNodeText, resolveNode } from '../step-fields.ts';
import type { StepDraft } from '../read-steps.ts';
import { isBlockScalar } from '../yaml/entries.ts';
import { keyText, valueText } from './names.ts';
import type { OpenWorkflow } from './open-workflow.ts';

/** New names or ids by step index. */
export type Renames = ReadonlyMap<number, string>;

/**
 * Changes the names themselves and every `depends` that refers to one of these steps by name. The names of the steps
 * must be written.
 */
export function changeNames(workflow: OpenWorkflow, renames: Renames): TextChange[] {
  const { text } = workflow.editable;
  const changes = new Map<Node, TextChange>();
  for (const [position, name] of renames) {
    const { nameNode, pair } = workflow.drafts[position]!;
    if (nameNode !== undefined)
      changes.set(nameNode, replaceScalar(text, nameNode, name, pair !== undefined));
  }
  for (const { node, position } of listUses(workflow, ({ name }) => name)) {
    const name = renames.get(position);
    if (name !== undefined && !changes.has(node)) changes.set(node, replaceScalar(text, node, name, false));
  }
  return [...changes.values()];
}

/**
 * Changes the ids themselves, every `depends` that refers to one of these steps by id, and the references in strings.
 */
export function changeIds(workflow: OpenWorkflow, renames: Renames): TextChange[] {
  const { text } = workflow.editable;
  const changes = new Map<Node, TextChange>();
  for (const [position, id] of renames) {
    const node = workflow.drafts[position]!.fields.get('id')?.value;
    if (node) changes.set(node, replaceScalar(text, node, id, false));
  }
  for (const { node, position } of listUses(workflow, ({ name, id }) => (id === name ? undefined : id))) {
    const id = renames.get(position);
    if (id !== undefined && !changes.has(node)) changes.set(node, replaceScalar(text, node, id, false));
  }
  const words = [...renames].flatMap(([position, id]): [string, string][] => {
    const old = getId(workflow.drafts[position]!);
    return old === undefined ? [] : [[old, id]];
  });
  const inTexts =
    words.length === 0 ? [] : listTexts(workflow).flatMap((each) => changeText(text, each, words));
  return [...changes.values(), ...inTexts];
}

/** Replaces the id of a step by its name in every `depends`. */
export function replaceIdByName(workflow: OpenWorkflow, step: number): TextChange[] {
  const { text } = workflow.editable;
  const changes = new Map<Node, TextChange>();
  for (const { node, position } of listUses(workflow, ({ name, id }) => (id === name ? undefined : id))) {
    if (position === step) changes.set(node, replaceScalar(text, node, workflow.names[step]!, false));
  }
  return [...changes.values()];
}

const getId = ({ fields }: StepDraft): string | undefined => getNodeText(fields.get('id')?.value);

/** Yields the entries of all `depends` whose reference equals what `read` returns for the step they refer to. */
function* listUses(
  { written, references, names, drafts }: OpenWorkflow,
  read: (step: { name: string; id: string | undefined }) => string | undefined,
): Generator<{ node: Scalar; position: number }> {
  for (const list of written) {
    for (const { reference, node } of list ?? []) {
      const position = references.get(reference);
      if (position === undefined) continue;
      const expected = read({ name: names[position]!, id: getId(drafts[position]!) });
      if (reference === expected) yield { node, position };
    }
  }
}

/** Replaces a scalar with another name in the same quotes. */
export function replaceScalar(text: string, node: Node, name: string, isKey: boolean): TextChange {
  const [from, to] = node.range!;
  const { type } = node as Scalar;
  return { from, to, insert: formatName(type, name, isKey, isInBrackets(text, from)) };
}

function formatName(type: Scalar['type'], name: string, isKey: boolean, isCautious: boolean): string {
  if (type === 'QUOTE_DOUBLE') return JSON.stringify(name);
  if (type === 'QUOTE_SINGLE') return `'${name.replaceAll("'", "''")}'`;
  return isKey ? keyText(name) : valueText(name, isCautious);
}

/**
 * Whether a position is probably inside brackets, judged by its line. If so, a name that looks like YAML is quoted,
 * which is always safe.
 */
const isInBrackets = (text: string, at: number): boolean =>
  /[[{,]/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));

/** Replaces references to several ids in one string. */
function changeText(
  text: string,
  { node, kind }: ExpandedText,
  words: readonly (readonly [string, string])[],
): TextChange[] {
  const [start, end] = node.range!;
  const from = isBlockScalar(node) ? text.indexOf('\n', start) : start;
  const source = text.slice(from, end);
  return words.flatMap(([old, id]) => {
    const uses = findIdUses(node.value, old, kind);
    if (!uses.some(({ isReal }) => isReal)) return [];
    const offsets = findCandidates(source, old);
    // A reference may be written with escapes; then the offsets in the source differ from those in the value.
    if (offsets.length !== uses.length) return [];
    return offsets.flatMap((position, index) =>
      uses[index]!.isReal ? [{ from: from + position.from, to: from + position.to, insert: id }] : [],
    );
  });
}

/** Which rules expand a string: those of the engine (docs/expansion.md), or those of a POSIX shell. */
type TextKind = 'template' | 'shell';

/** A possible reference to a property of a step: the range of its id, and whether it is a reference. */
export interface IdUse {
  readonly from: number;
  readonly to: number;
  readonly isReal: boolean;
}

/** Finds every position in a string, or in its source, where an id is between `$` or `${` and a dot. */
function findCandidates(text: string, id: string): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (let at = text.indexOf(`${id}.`); at !== -1; at = text.indexOf(`${id}.`, at + 1)) {
    const isBare = text[at - 1] === '$' && !id.includes('-');
    const isBraced = text[at - 1] === '{' && text[at - 2] === '$';
    if (isBare || isBraced) found.push({ from: at, to: at + id.length });
  }
  return found;
}

/**
 * Checks each candidate in a string. Replaces each id by a unique name and parses the string like the engine: a name
 * that is parsed as a reference is one.
 */
function findIdUses(text: string, id: string, kind: TextKind): IdUse[] {
  const candidates = findCandidates(text, id);
  if (candidates.length === 0) return [];
  const stem = makeStem(text);
  let marked = '';
  let at = 0;
  candidates.forEach(({ from, to }, index) => {
    marked += `${text.slice(at, from)}${stem}${index}x`;
    at = to;
  });
  const names = new Set(
    kind === 'shell' ? readShell(marked + text.slice(at)) : readTemplate(marked + text.slice(at)),
  );
  return candidates.map((candidate, index) => ({ ...candidate, isReal: names.has(`${stem}${index}x`) }));
}

function makeStem(text: string): string {
  let stem = 'Ref';
  while (text.includes(stem)) stem += 'q';
  return stem;
}

/** Returns the names whose properties a template refers to. */
const readTemplate = (text: string): string[] => parseTemplate(text).flatMap(readSegment);

function readSegment(segment: Segment): string[] {
  switch (segment.kind) {
    case 'literal':
    case 'unsupported':
      return [];
    case 'command':
      return readShell(segment.command);
    case 'reference': {
      const [first] = segment.path;
      const stepNames = first !== undefined && isStepProperty(first.key) ? [segment.name] : [];
      const { modifier } = segment;
      const inner = modifier === undefined || modifier.kind === 'slice' ? [] : modifier.segments;
      return [...stepNames, ...inner.flatMap(readSegment)];
    }
  }
}

const readShell = (text: string): string[] =>
  listReferences(scanShellText(text, { ansiQuotes: true }))
    .filter(({ path }) => isStepProperty(/^\.([A-Za-z0-9_]+)/.exec(path)?.[1] ?? ''))
    .map(({ name }) => name);

/** A string of a workflow that may contain references. */
interface ExpandedText {
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
function listTexts(workflow: OpenWorkflow): ExpandedText[] {
  const found = new Map<Scalar<string>, TextKind>();
  const collect = (node: unknown, kind: TextKind): void => {
    const value = resolveNode(node, workflow.document);
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
  const text = getText(draft);
  const interpreter = shellValue === null ? /^#!(.*)/.exec(text)?.[1] : undefined;
  const words = interpreter?.trim().split(/\s+/) ?? getWords(shellValue ?? shell, document);
  if (words.length === 0) return false;
  const program = words.find(
    (word) => !word.startsWith('-') && !word.includes('=') && getName(word) !== 'env',
  );
  return program !== undefined && !shells.has(getName(program));
}

const getText = ({ node, fields }: StepDraft): string =>
  getNodeText(fields.get('script')?.value) ??
  getNodeText(fields.get('command')?.value) ??
  getNodeText(node) ??
  '';

function getWords(shell: Node | null, document: OpenWorkflow['document']): string[] {
  if (isSeq(shell)) return shell.items.map((item) => getNodeText(resolveNode(item, document)) ?? '');
  const text = getNodeText(shell)?.trim();
  return text === undefined || text === '' ? [] : text.split(/\s+/);
}

const getName = (program: string): string =>
  (program.split(/[/\\]/).at(-1) ?? '').replace(/\.exe$/i, '').toLowerCase();
