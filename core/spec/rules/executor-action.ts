import { getStepType, type ExecutorType, type FieldRequirement } from '../../model/step-types.ts';
import type { ExecutorAction } from '../../model/step.ts';
import type { AuthoredStep } from '../authored.ts';
import { readContainer } from '../container.ts';
import { readParams } from './params.ts';
import { type Report, findField, getField, getKeyStart, getText, type SourceRef } from '../source.ts';
import { stepChecks } from '../executors/checks.ts';
import { readConfig } from '../executors/read-config.ts';

/**
 * Reads a step with an executor: its action and configuration. Errors are reported at the field.
 * @param source step whose `type` has been validated
 */
export function readExecutorAction(
  type: ExecutorType,
  step: AuthoredStep,
  source: SourceRef,
  report: Report,
): ExecutorAction | undefined {
  const before = report.errorCount;
  for (const field of ['command', 'script', 'params'] as const) checkRequirement(field, type, source, report);
  if (step.run !== undefined) {
    const message = `Steps of type "${type}" cannot run a workflow. Remove "run".`;
    report.errorAt(getKeyStart(source.node, 'run'), getField(source, 'run').path, message);
  }
  const config = readConfig(getStepType(type).config, findConfig(source, report), source, report);
  const container = readStepContainer(type, source, report);
  const action: ExecutorAction = {
    kind: 'executor',
    type,
    config,
    ...container,
    ...readFields(source, report),
  };
  if (report.errorCount === before) stepChecks[type]?.(action, source, report);
  return report.errorCount === before ? action : undefined;
}

/** Reads `container` of the step itself. */
function readStepContainer(
  type: ExecutorType,
  step: SourceRef,
  report: Report,
): Pick<ExecutorAction, 'container'> {
  const ref = findField(step, 'container');
  if (ref === undefined) return {};
  if (type === 'container') return { container: { isShared: false, spec: readContainer(ref, report) } };
  const message = `Steps of type "${type}" cannot run in a container. Remove "container".`;
  report.errorAt(getKeyStart(step.node, 'container'), ref.path, message);
  return {};
}

/** Returns the source of `config`, which is next to `type` or inside it. */
function findConfig(source: SourceRef, report: Report): SourceRef | undefined {
  const inside = findField(getField(source, 'type'), 'config');
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
    ...(command?.node.kind === 'list' ? { argv: command.node.items.map(getText) } : {}),
    ...(command?.node.kind === 'scalar' ? { command: getText(command.node) } : {}),
    ...(script === undefined ? {} : { script: getText(script.node) }),
    ...(params === undefined ? {} : { params: readParams(params, report) }),
  };
}

function checkRequirement(
  field: 'command' | 'script' | 'params',
  type: ExecutorType,
  source: SourceRef,
  report: Report,
): void {
  const registration = getStepType(type);
  const need: FieldRequirement = registration[field];
  const found = findField(source, field);
  const isEmpty = found === undefined || (found.node.kind === 'scalar' && getText(found.node).trim() === '');
  if (need === 'needed' && isEmpty)
    report.error(
      found ?? source,
      `Steps of type "${type}" require "${field}". Example: ${registration.example}.`,
    );
  if (need === 'refused' && found !== undefined) {
    const message = `"${field}" is not supported for steps of type "${type}". Example: ${registration.example}.`;
    report.errorAt(getKeyStart(source.node, field), found.path, message);
  }
}
