import type { ExecutorType } from '../../model/executors/executor-type.ts';
import type { ExecutorAction } from '../../model/workflow/step.ts';
import type { AuthoredStep } from '../authored.ts';
import { readContainer } from '../container/read-container.ts';
import { readParams } from '../rules/params.ts';
import type { Report } from '../source/report.ts';
import { findField, keyStartOf, fieldOf, textOf, type SourceRef } from '../source/source-node.ts';
import { readConfig } from './read-config.ts';
import type { ExecutorRules, FieldRequirement } from './rules.ts';

/** An executor of this version, with its rules. */
export interface ExecutorDefinition {
  readonly type: ExecutorType;
  readonly rules: ExecutorRules;
}

/**
 * Reads a step with an executor: its action and configuration. Errors are reported at the field.
 * @param source step whose `type` has been validated
 */
export function readExecutorAction(
  executor: ExecutorDefinition,
  step: AuthoredStep,
  source: SourceRef,
  report: Report,
): ExecutorAction | undefined {
  const { type, rules } = executor;
  const before = report.errorCount;
  for (const field of ['command', 'script', 'params'] as const)
    checkRequirement(field, executor, source, report);
  if (step.run !== undefined) {
    const message = `Steps of type "${type}" cannot run a workflow. Remove "run".`;
    report.errorAt(keyStartOf(source.node, 'run'), fieldOf(source, 'run').path, message);
  }
  const config = readConfig(rules.table, findConfig(source, report), source, report);
  const container = readOwnContainer(executor, source, report);
  const action: ExecutorAction = {
    kind: 'executor',
    type,
    config,
    ...container,
    ...readFields(source, report),
  };
  if (report.errorCount === before) rules.check?.(action, source, report);
  return report.errorCount === before ? action : undefined;
}

/** Reads `container` of the step itself. */
function readOwnContainer(
  { type }: ExecutorDefinition,
  step: SourceRef,
  report: Report,
): Pick<ExecutorAction, 'container'> {
  const ref = findField(step, 'container');
  if (ref === undefined) return {};
  if (type === 'container') return { container: { isShared: false, spec: readContainer(ref, report) } };
  const message = `Steps of type "${type}" cannot run in a container. Remove "container".`;
  report.errorAt(keyStartOf(step.node, 'container'), ref.path, message);
  return {};
}

/** Returns the source of `config`, which is next to `type` or inside it. */
function findConfig(source: SourceRef, report: Report): SourceRef | undefined {
  const inside = findField(fieldOf(source, 'type'), 'config');
  const beside = findField(source, 'config');
  if (inside !== undefined && beside !== undefined)
    report.error(beside, '"config" is set both in "type" and in the step. Keep one of them.');
  return beside ?? inside;
}

function readFields(
  source: SourceRef,
  report: Report,
): Pick<ExecutorAction, 'command' | 'argv' | 'script' | 'params'> {
  const command = findField(source, 'command');
  const script = findField(source, 'script');
  const params = findField(source, 'params');
  return {
    ...(command?.node.kind === 'list' ? { argv: command.node.items.map(textOf) } : {}),
    ...(command?.node.kind === 'scalar' ? { command: textOf(command.node) } : {}),
    ...(script === undefined ? {} : { script: textOf(script.node) }),
    ...(params === undefined ? {} : { params: readParams(params, report) }),
  };
}

function checkRequirement(
  field: 'command' | 'script' | 'params',
  { type, rules }: ExecutorDefinition,
  source: SourceRef,
  report: Report,
): void {
  const need: FieldRequirement = rules[field];
  const found = findField(source, field);
  const isEmpty = found === undefined || (found.node.kind === 'scalar' && textOf(found.node).trim() === '');
  if (need === 'needed' && isEmpty)
    report.error(found ?? source, `Steps of type "${type}" require "${field}". Example: ${rules.example}.`);
  if (need === 'refused' && found !== undefined) {
    const message = `"${field}" is not supported for steps of type "${type}". Example: ${rules.example}.`;
    report.errorAt(keyStartOf(source.node, field), found.path, message);
  }
}
