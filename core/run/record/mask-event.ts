import type { RunEvent } from '../../model/run/run-event.ts';
import type { Masker } from '../../secrets/masker.ts';
import type { NamedOutput } from '../steps/node-task.ts';

/**
 * Returns the event with secrets masked. Only what commands and people wrote is masked: names, numbers and directories
 * come from the engine, and a secret such as `1` must not corrupt them.
 */
export function maskEvent(event: RunEvent, masker: Masker): RunEvent {
  if (masker.isEmpty) return event;
  const maskSecrets = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : masker.mask(text);
  switch (event.type) {
    case 'run.finished':
      return { ...event, error: maskSecrets(event.error), outputs: maskValues(event.outputs, masker) };
    case 'run.terminating':
      return { ...event, error: masker.mask(event.error) };
    case 'step.retry_scheduled':
    case 'step.repeat_scheduled':
    case 'step.item_finished':
      return { ...event, error: maskSecrets(event.error) };
    case 'step.finished':
      return { ...event, error: maskSecrets(event.error), output: maskOutput(event.output, masker) };
    case 'step.item_started':
      return { ...event, value: masker.mask(event.value) };
    case 'step.ended':
      return { ...event, reason: masker.mask(event.reason), output: maskOutput(event.output, masker) };
    case 'step.approval_requested':
      return { ...event, question: masker.mask(event.question), details: maskSecrets(event.details) };
    case 'run.message':
      return { ...event, message: masker.mask(event.message) };
    default:
      return event;
  }
}

const maskOutput = (output: NamedOutput | undefined, masker: Masker): NamedOutput | undefined =>
  output && { name: output.name, value: masker.maskJson(output.value) };

/** Masks the values of outputs; their names stay unmasked. */
const maskValues = <Value>(values: Readonly<Record<string, Value>>, masker: Masker): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, masker.maskJson(value)]));
