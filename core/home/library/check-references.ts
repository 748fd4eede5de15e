import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Step, SourcePosition } from '../../model/step.ts';
import type { Workflow } from '../../model/workflow.ts';
import { readSource } from '../../spec/read-source.ts';
import { findParamSchema } from '../../spec/rules/params.ts';
import { findField, getField, getText, type SourceRef } from '../../spec/source.ts';
import { findNearest } from '../../base/text.ts';
import { notificationEventNames } from '../../model/notification.ts';
import { findInTree } from './folder-listing.ts';
import type { SpecFile } from './read-spec.ts';
import { hasReference } from '../../spec/parse-template.ts';

/** Where files that a workflow refers to are searched. */
export interface ReferencePaths {
  /** Absolute path of the workflow file. */
  readonly file: string;
  /** Absolute path of the workflow folder. */
  readonly dags: string;
  /** Current directory of the caller. */
  readonly cwd: string;
}

/** Checks that the sub-workflows and parameter schemas of a workflow file exist. */
export function checkReferences(spec: SpecFile, paths: ReferencePaths): Diagnostic[] {
  const local = new Set(spec.workflows.map(({ name }) => name));
  return spec.workflows.flatMap((workflow, index) => [
    ...checkSchema(workflow, index, spec.text, paths),
    ...[...workflow.steps, ...Object.values(workflow.handlers)].flatMap((step) =>
      checkSubWorkflow(step, local, paths),
    ),
  ]);
}

function checkSubWorkflow(step: Step, local: ReadonlySet<string>, paths: ReferencePaths): Diagnostic[] {
  if (step.action.kind !== 'dag') return [];
  const { dag } = step.action;
  // A name with whitespace is reported when the file is validated.
  if (hasReference(dag) || /\s/.test(dag) || local.has(dag)) return [];
  const folders = [paths.dags, path.dirname(paths.file)];
  const files = folders.flatMap((folder) =>
    [dag, `${dag}.yaml`, `${dag}.yml`].map((name) => path.resolve(folder, name)),
  );
  if (files.some((file) => existsSync(file))) return [];
  if (findInTree(paths.dags, dag.replace(/\.ya?ml$/, '')) !== undefined) return [];
  const message = `Workflow "${dag}" not found in this file, ${paths.dags} or ${path.dirname(paths.file)}. To run a program, use "command: ${dag}".`;
  return [{ severity: 'warning', message, file: paths.file, path: 'run', ...step.at }];
}

function checkSchema(
  { paramSchema, workingDir = '' }: Workflow,
  document: number,
  text: string,
  { file, cwd }: ReferencePaths,
): Diagnostic[] {
  if (typeof paramSchema !== 'string' || /^https?:/i.test(paramSchema)) return [];
  if (hasReference(paramSchema) || hasReference(workingDir) || `${workingDir}${paramSchema}`.startsWith('~'))
    return [];
  const folder = path.dirname(file);
  const folders = [cwd, path.resolve(folder, workingDir), folder];
  const files = [...new Set(folders.map((each) => path.resolve(each, paramSchema)))];
  if (files.some((each) => existsSync(each))) return [];
  const message = `Parameter schema "${paramSchema}" not found. Searched: ${files.join(', ')}.`;
  return [{ severity: 'error', message, file, path: 'params.schema', ...locateSchema(text, document) }];
}

function locateSchema(text: string, document: number): SourcePosition {
  const { result } = readSource({ text, file: '' }, (documents, { lines }) => {
    const node = documents[document];
    const params = node && findField({ node, path: '' }, 'params');
    const schema = params && findParamSchema(params);
    return schema && lines.locate(schema.node.start);
  });
  return result ?? { line: 1, column: 1 };
}

/** Whether a workflow file names notification channels, also by inheritance from the base configuration. */
export const usesChannels = ({ workflows }: Pick<SpecFile, 'workflows'>): boolean =>
  workflows.some(({ notify }) => notify !== undefined);

/**
 * Warns about channels in `notify` that do not exist. They can be created later, so they are no errors.
 * @param known names of the existing channels
 */
export function checkChannels(
  text: string,
  file: string | undefined,
  known: readonly string[],
): Diagnostic[] {
  const { diagnostics } = readSource({ text, file: file ?? '' }, (documents, report) => {
    for (const node of documents) {
      if (node.kind !== 'map') continue;
      const notify = findField({ node, path: '' }, 'notify');
      for (const source of notify === undefined ? [] : listNames(notify)) {
        const name = getText(source.node).trim();
        if (name !== '' && !known.includes(name)) report.warning(source, formatUnknown(name, known));
      }
    }
  });
  return diagnostics.filter((diagnostic) => diagnostic.path.startsWith('notify'));
}

/** Lists the names of `notify`: a name, a list, or a map of events to them. */
function listNames(source: SourceRef): SourceRef[] {
  const { node } = source;
  if (node.kind === 'scalar') return [source];
  if (node.kind === 'list') return [...node.items.keys()].map((index) => getField(source, index));
  return notificationEventNames.flatMap((event) => {
    const channels = findField(source, event);
    return channels === undefined || channels.node.kind === 'map' ? [] : listNames(channels);
  });
}

/** Describes a channel name that does not exist. */
export function formatUnknown(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known);
  if (nearest !== undefined) return `Unknown channel "${name.slice(0, 64)}". Did you mean "${nearest}"?`;
  const advice =
    known.length === 0
      ? 'Create it under Notifications, or with "engine notify channels create".'
      : `Channels: ${known.slice(0, 10).join(', ')}.`;
  return `Unknown channel "${name.slice(0, 64)}". ${advice}`;
}
