type Variables = Readonly<Record<string, string | undefined>>;

/**
 * The environment of this process as runs see it, which a long-lived host may change. Runs copy it when they start, so
 * that active runs keep theirs.
 */
export class HostEnvironment {
  readonly #initial: Variables;
  readonly #variables: Record<string, string | undefined>;
  readonly #passed = new Set<string>();

  constructor(initial: Variables) {
    this.#initial = initial;
    this.#variables = { ...initial };
  }

  /**
   * The variables, and the names of those that steps see without declaring them, in addition to those of
   * `filterEnvironment`; always the same objects.
   */
  get snapshot(): { readonly environment: Variables; readonly passed: ReadonlySet<string> } {
    return { environment: this.#variables, passed: this.#passed };
  }

  /** Overrides the initial variables, replacing an earlier change; an empty string removes a variable. */
  change(variables: Readonly<Record<string, string>>, passed: readonly string[]): void {
    for (const name of Object.keys(this.#variables)) delete this.#variables[name];
    Object.assign(this.#variables, this.#initial);
    for (const [name, value] of Object.entries(variables)) {
      if (value === '') delete this.#variables[name];
      else this.#variables[name] = value;
    }
    this.#passed.clear();
    for (const name of passed) this.#passed.add(name);
  }
}
