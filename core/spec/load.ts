import type { Diagnostic } from '../model/diagnostic.ts';
import type { Workflow } from '../model/workflow.ts';
import type { BaseConfig } from './base-config.ts';
import { MAX_STEPS } from './limits.ts';
import { normalizeWorkflow } from './normalize/normalize-workflow.ts';
import { readAuthored, readSource, type SourceText } from './read-source.ts';
import { nameFromFile } from './normalize/graph.ts';
import { type Report, findField, getField, type SourceRef, type SourceNode } from './source.ts';

/** A workflow file. The base name of `file` is the default name of the workflow. */
export interface SpecInput extends SourceText {
  /** Base configuration of every workflow in the file. */
  readonly base?: BaseConfig;
}

export interface LoadedSpec {
  /** The main workflow, then the local ones of the other documents; empty if there are errors. */
  readonly workflows: Workflow[];
  /** In the order of the file. */
  readonly diagnostics: Diagnostic[];
}

/**
 * Loads a workflow file: YAML with positions → authored shape → validated and normalized workflows. Never throws for
 * invalid input. The work is linear in the size of the text and bounded by `limits.ts`. Columns do not count a byte
 * order mark.
 */
export function loadSpec(input: SpecInput): LoadedSpec {
  const context = { file: input.file ?? '', base: input.base };
  const { result, diagnostics } = readSource(input, (documents, report) =>
    readDocuments(documents, context, report),
  );
  return { workflows: result ?? [], diagnostics };
}

/** State shared by the documents of a file. */
interface Context {
  readonly file: string;
  readonly base: BaseConfig | undefined;
}

function readDocuments(documents: readonly SourceNode[], context: Context, report: Report): Workflow[] {
  if (documents.length === 0) {
    report.errorAt(
      0,
      '',
      'The file is empty. A workflow requires at least "steps:", such as "steps: [echo hello]".',
    );
  }
  if (hasTooManySteps(documents, report)) return [];
  const names = new Map<string, SourceRef>();
  return documents.flatMap((node, index) => {
    const workflow = readDocument({ node, path: '' }, index === 0, context, report);
    if (workflow === undefined) return [];
    checkDocumentName(workflow.name, getField({ node, path: '' }, 'name'), names, report);
    return [workflow];
  });
}

function readDocument(
  written: SourceRef,
  isMain: boolean,
  context: Context,
  report: Report,
): Workflow | undefined {
  const document = readAuthored(written, report);
  if (document === undefined) return undefined;
  const name = document.authored.name ?? defaultName(isMain, document.source, context.file, report);
  return normalizeWorkflow({ ...document, name }, context.base, report);
}

function defaultName(isMain: boolean, source: SourceRef, file: string, report: Report): string {
  if (!isMain) {
    report.errorAt(
      source.node.start,
      'name',
      'Missing "name". All documents after the first "---" require a name so that steps can run them.',
    );
    return '';
  }
  const result = nameFromFile(file);
  if ('name' in result) return result.name;
  report.errorAt(source.node.start, 'name', result.fault);
  return '';
}

function checkDocumentName(
  name: string,
  source: SourceRef,
  names: Map<string, SourceRef>,
  report: Report,
): void {
  const first = names.get(name);
  if (first === undefined) {
    names.set(name, source);
  } else if (name !== '') {
    const { line } = report.lines.locate(first.node.start);
    report.error(source, `Duplicate workflow name "${name}" (first used in line ${line}). Rename one.`);
  }
}

function hasTooManySteps(documents: readonly SourceNode[], report: Report): boolean {
  let count = 0;
  for (const node of documents) {
    const steps = findField({ node, path: '' }, 'steps');
    if (steps === undefined) continue;
    count += countSteps(steps.node);
    if (count > MAX_STEPS) {
      report.error(
        steps,
        `The file has ${count.toLocaleString('en-US')} steps. The limit is ${MAX_STEPS.toLocaleString('en-US')}; split the workflow into sub-workflows.`,
      );
      return true;
    }
  }
  return false;
}

function countSteps(node: SourceNode): number {
  if (node.kind === 'map') return node.entries.size;
  if (node.kind === 'scalar') return 0;
  return node.items.reduce((count, item) => count + (item.kind === 'list' ? item.items.length : 1), 0);
}
