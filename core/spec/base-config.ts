import type { Diagnostic } from '../model/diagnostic.ts';
import { normalizeFields, type WorkflowFields } from './normalize/normalize-fields.ts';
import { readAuthored, readSource, type SourceText } from './read-source.ts';
import { type Report, getKeyStart, type SourceNode } from './source.ts';

/** Fields that every workflow inherits from the base configuration, validated and without defaults. */
export type BaseConfig = WorkflowFields;

/** Fields that only a workflow can have. */
const workflowOnlyFields = ['name', 'steps'];

/**
 * Reads a base configuration (`base.yaml`): a workflow without steps. Only the first document is used. `loadSpec`
 * merges workflows with it.
 * @returns no `base` if there are errors or the file has no fields
 */
export function loadBaseConfig(source: SourceText): { base?: BaseConfig; diagnostics: Diagnostic[] } {
  const { result, diagnostics } = readSource(source, ([node], report) =>
    node === undefined ? undefined : readFields(node, report),
  );
  return { base: result, diagnostics };
}

function readFields(node: SourceNode, report: Report): BaseConfig | undefined {
  const document = readAuthored({ node, path: '' }, report, formatNotMap);
  if (document === undefined) return undefined;
  const { authored, source } = document;
  for (const key of workflowOnlyFields.filter((field) => Object.hasOwn(authored, field))) {
    report.warningAt(
      getKeyStart(source.node, key),
      key,
      `"${key}" applies to a single workflow and has no effect in the base configuration. Remove it.`,
    );
  }
  return normalizeFields(authored, source, report);
}

function formatNotMap(actual: string): string {
  return `The base configuration must be a map of fields, but this file is ${actual}. Write fields as "key: value", such as "shell: bash".`;
}
