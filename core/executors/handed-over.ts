import { filterEnvironment } from '../process/environment.ts';
import type { StepContext } from './executor.ts';

/** They say something about this machine only. */
const localNames: ReadonlySet<string> = new Set(['PWD', 'OLDPWD']);

/** The trace that the attempt is part of, for programs that know it by themselves (W3C Trace Context). */
const traceNames: ReadonlySet<string> = new Set(['TRACEPARENT', 'TRACESTATE']);

/**
 * The variables that a command on another host gets: the step's own `env`, its trace, and those that the text of the
 * command names, in whatever language it is written. Secrets and values it does not mention stay here. Variables of this
 * system, such as PATH and HOME, are not handed over: the other one has its own.
 */
export function chooseVariables(
  { env, step }: Pick<StepContext, 'env' | 'step'>,
  texts: readonly string[],
): Record<string, string> {
  const system = filterEnvironment(process.env);
  const own = new Set(step.env.map(({ name }) => name));
  const mentioned = new Set(texts.flatMap((text) => text.match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? []));
  const isHanded = (name: string): boolean =>
    own.has(name) ||
    traceNames.has(name) ||
    (mentioned.has(name) && !localNames.has(name) && env[name] !== system[name]);
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && isHanded(name)),
  );
}
