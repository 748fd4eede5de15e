import { isMap } from 'yaml';
import { handlerNames } from '../../model/workflow-rules.ts';
import type { EditResult } from '../text-change.ts';
import type { EditableText } from '../yaml/editable-text.ts';
import { RawYaml } from '../yaml/read-value.ts';
import { removeValue } from '../yaml/remove-value.ts';
import { setValue } from '../yaml/set-value.ts';
import {
  nodePathIn,
  formatMissingStep,
  openWorkflow,
  nodeRefIn,
  reject,
  type OpenWorkflow,
} from './open-workflow.ts';
import { toYaml, type NewStep } from './insert-steps.ts';

/**
 * Sets a lifecycle handler, and replaces the existing one.
 * @param kind `init`, `success`, `failure`, `abort` or `exit`
 * @param document document index; default: the main workflow
 */
export function setHandler(
  editable: EditableText,
  kind: string,
  step: NewStep,
  document?: number,
): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  if (!handlerNames.some((name) => name === kind))
    return reject(`Unknown handler "${kind}". Valid handlers: ${handlerNames.join(', ')}.`);
  const result = setValue(editable, nodePathIn(workflow, getPath(workflow, kind)), new RawYaml(toYaml(step)));
  return result.ok ? { ...result, select: [nodeRefIn(workflow, kind, 'handler')] } : result;
}

/** Removes a handler, and `handlerOn` with the last one. */
export function removeHandler(editable: EditableText, kind: string, document?: number): EditResult {
  const workflow = openWorkflow(editable, document);
  if ('reason' in workflow) return workflow;
  const handler = workflow.handlers.find(({ name }) => name === kind);
  if (handler === undefined) return reject(formatMissingStep({ section: 'handler', name: kind }));
  const map = workflow.fields.get('handlerOn')?.value;
  const isLast = isMap(map) && map.items.length === 1;
  return removeValue(editable, nodePathIn(workflow, isLast ? handler.path.slice(0, 1) : handler.path));
}

/** Returns the path with the keys as written. */
function getPath({ fields, handlers }: OpenWorkflow, kind: string): string[] {
  const known = handlers.find(({ name }) => name === kind);
  return known === undefined ? [fields.get('handlerOn')?.key ?? 'handlerOn', kind] : known.path.map(String);
}
