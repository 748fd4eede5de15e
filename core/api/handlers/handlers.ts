import type { OperationInput, OperationName, OperationOutput } from '../../contract/operations.ts';
import type { Trigger } from '../../model/run/run-event.ts';
import type { BaseSource, Caller } from '../engine-host.ts';
import type { EngineContext } from '../engine-context.ts';

/**
 * Runs one operation.
 * @throws AppError
 */
export type Handler<Name extends OperationName> = (
  input: OperationInput<Name>,
  context: EngineContext,
  caller: Caller,
) => OperationOutput<Name> | Promise<OperationOutput<Name>>;

/** Handlers of some operations. */
export type HandlersFor<Names extends OperationName> = { readonly [Name in Names]: Handler<Name> };

/** Returns the trigger of a run that is started through a transport. */
export const triggerOf = (caller: Caller): Trigger =>
  ({ ipc: 'manual', http: 'api', cli: 'cli' } as const)[caller.via];

/** Returns the trigger together with the caller. */
export const originOf = (caller: Caller): { readonly trigger: Trigger; readonly startedBy: string } => ({
  trigger: triggerOf(caller),
  startedBy: caller.name,
});

/**
 * Returns the source for a text, with the text of a base configuration if it was sent.
 * @param inPlaceOf the workflow file that the text replaces
 */
export const inlineSource = (
  spec: string,
  base: string | undefined,
  inPlaceOf?: string,
): { readonly spec: string; readonly base?: BaseSource; readonly inPlaceOf?: string | undefined } => ({
  spec,
  inPlaceOf,
  ...(base !== undefined && { base: { text: base } }),
});
