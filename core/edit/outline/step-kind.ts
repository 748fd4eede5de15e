import { isMap, isScalar, isSeq, type Document, type Node } from 'yaml';
import { executorAliases, executorTypes } from '../../model/executors/executor-type.ts';
import { plainStepTypes } from '../../model/executors/plain-types.ts';
import { summaryLine } from '../../spec/summary-line.ts';
import { textOfNode, readFields, type Field } from './fields.ts';

/** The action of a step as far as it is recognizable. */
export interface StepKind {
  /** `command`, `script`, `dag`, or the `type` as written. */
  readonly kind: string;
  /** One-line summary. */
  readonly detail: string;
  /** Prefix of generated names (core/spec/rules/graph/names.ts). */
  readonly prefix: string;
}

type Fields = ReadonlyMap<string, Field>;

/** Returns the kind of a step that is a string. */
export function kindOfText(text: string): StepKind {
  const isScript = text.trim().includes('\n');
  return isScript
    ? { kind: 'script', detail: summaryLine(text), prefix: 'script' }
    : { kind: 'command', detail: text.trim(), prefix: text.trim() === '' ? 'step' : 'cmd' };
}

/** Returns the kind of a step that is a map. */
export function kindOfFields(fields: Fields, document: Document.Parsed): StepKind {
  const { kind, prefix } = readKind(fields, document);
  const isParallel = hasField(fields, 'parallel');
  const detail = kind === 'approval' ? readQuestion(fields) : readDetail(fields);
  return { kind, prefix: isParallel ? 'parallel' : prefix, detail };
}

const hasField = (fields: Fields, name: string): boolean => {
  const value = fields.get(name)?.value;
  return value !== undefined && value !== null && !(isScalar(value) && value.value === null);
};

const textOf = (fields: Fields, name: string): string | undefined => textOfNode(fields.get(name)?.value);

function readKind(fields: Fields, document: Document.Parsed): { kind: string; prefix: string } {
  const type = readType(fields, document) ?? '';
  const executor = executorAliases[type] ?? executorTypes.find((each) => each === type);
  if (executor !== undefined) return { kind: type, prefix: executor };
  if (!plainStepTypes.includes(type)) return { kind: type, prefix: 'step' };
  if (type === '' && hasField(fields, 'container')) return { kind: 'container', prefix: 'container' };
  return readPlainKind(fields);
}

/** Reads `type: http` or `type: {type: http, config: …}`. */
function readType(fields: Fields, document: Document.Parsed): string | undefined {
  const type = fields.get('type')?.value;
  return isMap(type)
    ? textOfNode(readFields(type, 'stepType', document).get('type')?.value)
    : textOfNode(type);
}

function readPlainKind(fields: Fields): { kind: string; prefix: string } {
  if (hasField(fields, 'run')) return { kind: 'dag', prefix: 'dag' };
  if (hasField(fields, 'script')) return { kind: 'script', prefix: 'script' };
  if (!hasField(fields, 'command')) return { kind: 'command', prefix: 'step' };
  if (isSeq(fields.get('command')?.value)) return { kind: 'command', prefix: 'cmd' };
  return kindOfText(textOf(fields, 'command') ?? '');
}

function readDetail(fields: Fields): string {
  const run = textOf(fields, 'run');
  if (run !== undefined) return run.trim();
  const command = fields.get('command')?.value;
  if (isSeq(command))
    return command.items
      .map((item) => textOfNode(item as Node | null) ?? '')
      .join(' ')
      .trim();
  const text = textOfNode(command);
  const script = textOf(fields, 'script');
  return summaryLine(text !== undefined && text.trim() !== '' ? text : (script ?? ''));
}

/** Returns the question of an approval step. */
function readQuestion(fields: Fields): string {
  const config = fields.get('config')?.value;
  const question = isMap(config) ? (config.get('question', true) as Node | undefined) : undefined;
  return summaryLine(textOfNode(question) ?? '');
}
