import { isMap, isScalar, isSeq, type Document, type Node, type YAMLMap } from 'yaml';
import type { EditRejection } from '../../edit-result.ts';
import { canonicalName, follow, textOfKey } from '../../outline/fields.ts';
import { readEditable } from '../../yaml/editable-text.ts';
import { reject } from '../open-workflow.ts';
import { stripBom } from '../../../base/text/strip-bom.ts';

/** Pasted steps as a separate workflow. */
export interface Clip {
  readonly text: string;
  /** The clipboard had a whole workflow, so the order and dependencies of its steps are meaningful. */
  readonly isWorkflow: boolean;
}

/** Maximum length of pasted text; the same as the limit of a file. */
const MAX_CHARACTERS = 4 * 1024 * 1024;

/** Parses a list of steps, one step, a map of steps or a workflow. */
export function readClip(pasted: string): Clip | EditRejection {
  if (pasted.length > MAX_CHARACTERS) return reject('The clipboard content is too long for a workflow.');
  const text = stripBom(pasted)
    .replaceAll('\r\n', '\n')
    .replace(/^(?:[ \t]*\n)+/, '');
  const { syntaxError, documents } = readEditable(text);
  if (syntaxError !== undefined) return reject(`Invalid YAML: ${syntaxError.message}`);
  const document = documents.find(({ contents }) => contents !== null);
  const node = document?.contents ?? null;
  if (document === undefined || documents.length > 1 || !(isMap(node) || isSeq(node))) return reject(noSteps);
  if (isSeq(node))
    return isStepList(node.items, document) ? { text: below(text), isWorkflow: false } : reject(noSteps);
  switch (describeMap(node, document)) {
    case 'workflow':
      return { text, isWorkflow: true };
    case 'step':
      return {
        text: `steps:\n  - ${text.trimEnd().replaceAll(/\n(?=[^\n])/g, '\n    ')}\n`,
        isWorkflow: false,
      };
    case 'steps':
      return { text: below(text), isWorkflow: false };
    default:
      return reject(noSteps);
  }
}

const noSteps = 'The clipboard contains no steps. Copy a step, a list of steps or a workflow as YAML.';

const below = (text: string): string => `steps:\n${text.trimEnd().replaceAll(/^(?=[^\n])/gm, '  ')}\n`;

/** Detects the kind of a map by its keys. */
function describeMap(map: YAMLMap, document: Document.Parsed): 'workflow' | 'step' | 'steps' | undefined {
  const keys = map.items.map(({ key }) => textOfKey(key)).filter((key) => key !== '<<');
  if (keys.some((key) => canonicalName(key, 'workflow') === 'steps')) return 'workflow';
  const isStep = keys.some((key) => doing.has(canonicalName(key, 'step') ?? ''));
  if (isStep && keys.every((key) => canonicalName(key, 'step') !== undefined)) return 'step';
  const values = map.items.map(({ value }) => follow(value, document));
  const areSteps = values.length > 0 && values.every((value) => isStepMap(value) || isText(value));
  return areSteps && values.some(isStepMap) ? 'steps' : undefined;
}

/** Fields that define the action of a step. */
const doing = new Set(['command', 'script', 'run', 'type', 'container']);

const isStepMap = (node: Node | null): boolean =>
  isMap(node) && node.items.some(({ key }) => canonicalName(textOfKey(key), 'step') !== undefined);

const isText = (node: Node | null): boolean => isScalar(node) && typeof node.value === 'string';

function isStepList(items: readonly unknown[], document: Document.Parsed): boolean {
  return (
    items.length > 0 &&
    items.every((item) => {
      const node = follow(item, document);
      return isText(node) || isStepMap(node) || (isSeq(node) && isStepList(node.items, document));
    })
  );
}
