import { filterEnvironment } from '../process/environment.ts';
import type { StepContext } from './executor.ts';

/** Variables that are only valid on this machine. */
const localNames: ReadonlySet<string> = new Set(['PWD', 'OLDPWD']);

/** Trace context of the attempt, for programs that support it (W3C Trace Context). */
const traceNames: ReadonlySet<string> = new Set(['TRACEPARENT', 'TRACESTATE']);

/**
 * Returns the variables for a command on another host: the step's own `env`, its trace context, and the variables that
 * the command refers to, in whatever language it is written. Other secrets and values are not sent. System variables
 * such as PATH and HOME are not sent, because the other host has its own.
 */
export function chooseVariables(
  { env, step }: Pick<StepContext, 'env' | 'step'>,
  texts: readonly string[],
): Record<string, string> {
  const system = filterEnvironment(process.env);
  const ownNames = new Set(step.env.map(({ name }) => name));
  const mentioned = new Set(texts.flatMap((text) => text.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []));
  const isPassed = (name: string): boolean =>
    ownNames.has(name) ||
    traceNames.has(name) ||
    (mentioned.has(name) && !localNames.has(name) && env[name] !== system[name]);
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && isPassed(name)),
  );
}
