import { runActivity } from '../base/activity.ts';
import type { Dispose } from '../base/clock.ts';
import { AppError, toAppError, toErrorBody } from '../base/errors.ts';
import type { OperationName, StreamName } from '../contract/operations.ts';
import type { StreamObserver } from '../contract/transport.ts';
import { includesRole } from '../contract/operation.ts';
import { recordCall, type AuditLog } from './audit/audit-log.ts';
import type { Caller, EngineApi } from './engine-api.ts';
import type * as Tables from './dispatch.ts';
import type { EngineContext } from './engine-context.ts';
import type * as Explanations from './explain-input.ts';
import type { OperationRule } from './operation-rules.ts';

type Rules = Readonly<Record<string, OperationRule>>;

/** Loaded on first use, because loading them takes longer than a short run, which calls no operation. */
let rules: Rules | undefined;
let tables: typeof Tables | undefined;
let explainInput: typeof Explanations.explainInput | undefined;

/** Loads what checks calls, so that streams start or end at once: a server answers an invalid one with a status. */
export async function prepareApi(): Promise<void> {
  await Promise.all([loadRules(), loadTables()]);
  ({ explainInput } = await import('./explain-input.ts'));
}

async function loadRules(): Promise<Rules> {
  rules ??= (await import('./operation-rules.ts')).operationRules;
  return rules;
}

async function loadTables(): Promise<typeof Tables> {
  return (tables ??= await import('./dispatch.ts'));
}

/** Creates the API of an engine for every transport: checks each call, runs its operation and audits it. */
export const createApi = (context: EngineContext): EngineApi =>
  checkCalls(
    {
      async call(name, input, caller) {
        const { handlers } = await loadTables();
        const handler = handlers[name];
        return runActivity({ kind: 'request', operation: name }, async () => handler(input, context, caller));
      },
      follow(name, input, observer) {
        const start = ({ followers }: typeof Tables) => followers[name](context, input, observer);
        return startStream(() => (tables === undefined ? loadTables().then(start) : start(tables)), observer);
      },
    },
    context.audit,
  );

/**
 * Returns the same operations, which authorize the caller, validate the input and record the call in the audit log.
 * Roles, schemas and audit targets come from the table of operations.
 */
export function checkCalls(inner: EngineApi, trail: Pick<AuditLog, 'add'>): EngineApi {
  return {
    async call(name, input, caller) {
      const rule = findRule(await loadRules(), name);
      const call = { name, rule, input, caller };
      const denied = findPermissionError(name, rule, caller);
      if (denied !== undefined) {
        recordCall(trail, { ...call, outcome: denied.code });
        throw denied;
      }
      if (!acceptsInput(rule.accepts, input)) await explain(name, input);
      try {
        const output = await inner.call(name, input, caller);
        recordCall(trail, { ...call, output, outcome: 'done' });
        return output;
      } catch (error) {
        recordCall(trail, { ...call, outcome: toAppError(error).code });
        throw error;
      }
    },
    follow(name, input, observer, caller) {
      let isLeft = false;
      let leave = (): void => {};
      const end = (error: unknown): void => {
        if (!isLeft) observer.end(toErrorBody(toAppError(error)));
      };
      const start = (loaded: Rules): void => {
        if (isLeft) return;
        try {
          const rule = authorize(loaded, name, caller);
          if (acceptsInput(rule.accepts, input)) leave = inner.follow(name, input, observer, caller);
          else if (explainInput === undefined) void explain(name, input).catch(end);
          else explainInput(name, input);
        } catch (error) {
          end(error);
        }
      };
      if (rules === undefined) void loadRules().then(start, end);
      else start(rules);
      return () => {
        isLeft = true;
        leave();
      };
    },
    async recordRejection(name, input, caller, code) {
      const rule = findRule(await loadRules(), name);
      recordCall(trail, { name, rule, input, caller, outcome: code });
    },
  };
}

function findRule(loaded: Rules, name: OperationName | StreamName): OperationRule {
  const rule = Object.hasOwn(loaded, name) ? loaded[name] : undefined;
  if (rule === undefined) throw new AppError('not_found', `Unknown operation "${name}".`);
  return rule;
}

function authorize(loaded: Rules, name: StreamName, caller: Caller): OperationRule {
  const rule = findRule(loaded, name);
  const denied = findPermissionError(name, rule, caller);
  if (denied !== undefined) throw denied;
  return rule;
}

/** Whether an input is valid for a compiled schema. A field that is undefined counts as missing. */
export function acceptsInput(accepts: (input: object) => boolean, input: unknown): boolean {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false;
  return accepts(Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)));
}

/** Loads the function that says what is wrong with an input. */
export const loadInputChecker = async () => (await import('./explain-input.ts')).checkInput;

/** Rejects with `bad_request` naming the field. The schemas are only loaded for this. */
async function explain(name: OperationName | StreamName, input: unknown): Promise<never> {
  ({ explainInput } = await import('./explain-input.ts'));
  return explainInput(name, input);
}

/**
 * Returns why a caller may not call an operation or follow a stream; undefined if allowed. A caller without a role is
 * the local user.
 */
export function findPermissionError(
  name: OperationName | StreamName,
  rule: Pick<OperationRule, 'role' | 'public' | 'label'>,
  { role, ...caller }: Pick<Caller, 'role' | 'name'>,
): AppError | undefined {
  if (rule.public === true || role === undefined || includesRole(role, rule.role)) return undefined;
  return new AppError(
    'forbidden',
    `${caller.name} has the role ${role}, which does not allow this: ${rule.label ?? name}. ` +
      `Ask an admin for the role ${rule.role}.`,
    { details: { role, requiredRole: rule.role } },
  );
}

/** Starts a stream, now or later, and passes errors to the observer. Returns a function that ends the stream. */
export function startStream(
  start: () => Dispose | Promise<Dispose>,
  observer: Pick<StreamObserver<never>, 'end' | 'starting'>,
): Dispose {
  let isLeft = false;
  let stop: Dispose = () => {};
  const fail = (error: unknown): void => {
    if (!isLeft) observer.end(toErrorBody(toAppError(error)));
  };
  try {
    const started = start();
    if (!(started instanceof Promise)) return started;
    const settled = started.then((dispose) => {
      stop = dispose;
      if (isLeft) stop();
    }, fail);
    observer.starting?.(settled);
  } catch (error) {
    fail(error);
  }
  return () => {
    isLeft = true;
    stop();
  };
}
