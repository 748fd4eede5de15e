import { readFileSync } from 'node:fs';
import type { JsonObject, JsonValue } from '../../../base/json.ts';
import type { ExpressionScope } from '../expressions/evaluate.ts';
import { hashFiles } from '../expressions/hash-files.ts';
import type { Job } from './job.ts';

/** What expressions of one action can see beside the job. */
export interface ScopeParts {
  readonly inputs: Readonly<Record<string, string>>;
  /** Complete: the variables of the program or step that the expression is for. */
  readonly env: Readonly<Record<string, string>>;
  /** Of a composite action: its steps that have ended, by id. */
  readonly steps: JsonObject;
  readonly progress: ExpressionScope['progress'];
}

/** Larger events are not read: an expression has a copy of it. Bytes. */
const eventLimit = 4 * 1024 * 1024;

/**
 * Contexts of expressions. `github.x` is the variable `GITHUB_X` and `runner.x` is `RUNNER_X`, so that what a step says
 * in its `env` holds for expressions, too; `github.token` therefore is `GITHUB_TOKEN`.
 */
export function makeScope(job: Job, { inputs, env, steps, progress }: ScopeParts): ExpressionScope {
  const { context, task } = job.parts;
  return {
    progress,
    contexts: {
      github: {
        ...pickVariables(env, 'GITHUB_'),
        token: env['GITHUB_TOKEN'] ?? '',
        event: readEvent(env['GITHUB_EVENT_PATH']),
        action_status: progress,
      },
      runner: pickVariables(env, 'RUNNER_'),
      env: { ...env },
      inputs: { ...inputs },
      steps,
      job: { status: progress },
      strategy: {},
      matrix: {},
    },
    hashFiles: (patterns) => hashFiles(context.workingDir, patterns, task.killing),
  };
}

const pickVariables = (env: Readonly<Record<string, string>>, prefix: string): JsonObject =>
  Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length).toLowerCase(), value]),
  );

function readEvent(file: string | undefined): JsonValue {
  if (file === undefined) return {};
  try {
    const bytes = readFileSync(file);
    return bytes.length > eventLimit ? {} : (JSON.parse(bytes.toString('utf8')) as JsonValue);
  } catch {
    // A step may name a file of an event that is not there; the action says so if it needs it.
    return {};
  }
}
