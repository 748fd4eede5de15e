import path from 'node:path';
import { attemptFiles } from '../../model/run/attempt-files.ts';
import type { Step } from '../../model/workflow/step.ts';

/** The properties in `${id.stdout}`, `${id.stderr}` and `${id.exitCode}`. */
export type StepProperty = (typeof properties)[number];
const properties = ['stdout', 'stderr', 'exitCode'] as const;

/** The known properties of the steps of a run that have an `id`. */
export class StepProperties {
  readonly #ids: ReadonlySet<string>;
  readonly #values = new Map<string, Readonly<Record<StepProperty, string>>>();

  constructor(steps: readonly Pick<Step, 'id'>[]) {
    this.#ids = new Set(steps.flatMap(({ id }) => id ?? []));
  }

  /** Records the newest attempt of a step; `attemptPath` is its directory. */
  note({ id }: Pick<Step, 'id'>, attemptPath: string, exitCode: number | undefined): void {
    if (id === undefined) return;
    this.#values.set(id, {
      stdout: path.join(attemptPath, attemptFiles.stdout),
      stderr: path.join(attemptPath, attemptFiles.stderr),
      exitCode: exitCode === undefined ? '' : String(exitCode),
    });
  }

  /** Returns all known properties, by `id.property`. */
  list(): Record<string, string> {
    const entries = [...this.#ids].flatMap((id) =>
      properties.map((property) => [`${id}.${property}`, this.read(id, property) ?? '']),
    );
    return Object.fromEntries(entries) as Record<string, string>;
  }

  /** Returns an empty string for a step that has not run yet; undefined when no step has this id. */
  readonly read = (id: string, property: StepProperty): string | undefined =>
    this.#ids.has(id) ? (this.#values.get(id)?.[property] ?? '') : undefined;
}
