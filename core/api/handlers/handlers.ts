import type { OperationInput, OperationName, OperationOutput } from '../../contract/operations.ts';
import type { Trigger } from '../../model/run/run-event.ts';
import type { BaseSource, Caller } from '../engine-host.ts';
import type { EngineParts } from '../engine-parts.ts';

/** Does one operation. Throws `AppError` to refuse. */
export type Handler<Name extends OperationName> = (
  input: OperationInput<Name>,
  parts: EngineParts,
  caller: Caller,
) => OperationOutput<Name> | Promise<OperationOutput<Name>>;

/** Handlers of some operations. */
export type HandlersFor<Names extends OperationName> = { readonly [Name in Names]: Handler<Name> };

/** What a run started through a transport says of its origin. */
export const triggerOf = (caller: Caller): Trigger =>
  ({ ipc: 'manual', http: 'api', cli: 'cli' } as const)[caller.via];

/** The same, with who that was. */
export const originOf = (caller: Caller): { readonly trigger: Trigger; readonly startedBy: string } => ({
  trigger: triggerOf(caller),
  startedBy: caller.name,
});

/**
 * A text to run, with the text of a base configuration of its own where one was sent.
 * @param inPlaceOf the workflow file whose text it is to be
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
