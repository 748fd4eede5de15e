import { auditedOperations, formatTarget } from './audit/audited-operations.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { toAppError } from '../base/errors.ts';
import type { OperationName } from '../contract/operations.ts';
import type { Caller, EngineApi } from './engine-host.ts';

/** Refusals that anyone can cause in any number; recording them would displace important entries. */
const unkept: ReadonlySet<string> = new Set(['too_many_requests']);

/**
 * Wraps an API to record each change in the audit log: user, channel, operation and result. Placed inside the checks of
 * transports, whose errors are recorded by `recordRejection`.
 */
export function recordCalls(api: EngineApi, trail: Pick<AuditLog, 'add'>): EngineApi {
  const record = (
    name: OperationName,
    about: { input: unknown; output?: unknown },
    caller: Caller,
    outcome: string,
  ): void => {
    if (!auditedOperations.has(name) || unkept.has(outcome)) return;
    const target = formatTarget(name, about.input, about.output);
    trail.add({
      // The caller had no name before the login.
      actor: name === 'auth.login' && outcome === 'done' ? target : caller.name,
      via: caller.via,
      ...(caller.address !== undefined && { address: caller.address }),
      operation: name,
      target,
      outcome,
    });
  };
  return {
    async call(name, input, caller) {
      try {
        const output = await api.call(name, input, caller);
        record(name, { input, output }, caller, 'done');
        return output;
      } catch (error) {
        record(name, { input }, caller, toAppError(error).code);
        throw error;
      }
    },
    follow: (...options) => api.follow(...options),
    recordRejection: (name, input, caller, code) => record(name, { input }, caller, code),
  };
}
