/** An action metadata file that is invalid. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
}

type Values = Readonly<Record<string, unknown>>;

/** One map of a metadata file with its path for error messages. Every accessor checks the type of the field. */
export class Fields {
  readonly #values: Values;
  readonly #file: string;
  readonly #path: string;

  constructor(file: string, path: string, value: unknown) {
    this.#file = file;
    this.#path = path;
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ManifestError(`${file}: ${path === '' ? 'the file' : path} must be a map.`);
    this.#values = value as Values;
  }

  get names(): string[] {
    return Object.keys(this.#values);
  }

  has(name: string): boolean {
    const value = this.#values[name];
    return value !== undefined && value !== null;
  }

  /**
   * Returns a string, number or boolean as a string.
   * @throws ManifestError for any other type
   */
  text(name: string): string | undefined {
    if (!this.has(name)) return undefined;
    const value = this.#values[name];
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw this.fault(name, 'must be a string');
  }

  /** @param why reason why the field is required, for the error message */
  requiredText(name: string, why: string): string {
    const text = this.text(name);
    if (text === undefined || text.trim() === '') throw this.fault(name, `is missing: ${why}`);
    return text;
  }

  flag(name: string): boolean {
    return this.text(name)?.trim().toLowerCase() === 'true';
  }

  map(name: string): Fields {
    return new Fields(this.#file, this.pathOf(name), this.has(name) ? this.#values[name] : {});
  }

  textMap(name: string): Record<string, string> {
    const map = this.map(name);
    return Object.fromEntries(map.names.map((key) => [key, map.text(key) ?? '']));
  }

  list(name: string): unknown[] {
    const value = this.#values[name] ?? [];
    if (!Array.isArray(value)) throw this.fault(name, 'must be a list');
    return value;
  }

  textList(name: string): string[] {
    return this.list(name).map((item) => {
      if (typeof item === 'string') return item;
      if (typeof item === 'number' || typeof item === 'boolean') return String(item);
      throw this.fault(name, 'must be a list of strings');
    });
  }

  maps(name: string): Fields[] {
    return this.list(name).map(
      (item, index) => new Fields(this.#file, `${this.pathOf(name)}[${index}]`, item),
    );
  }

  fault(name: string, what: string): ManifestError {
    return new ManifestError(`${this.#file}: ${this.pathOf(name)} ${what}.`);
  }

  pathOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }
}
