import { existsSync } from 'node:fs';
import type { Clock } from '../../base/clock.ts';
import { toAppError, AppError } from '../../base/errors.ts';
import { countUtf8Bytes } from '../../base/text.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { loadBaseConfig, type BaseConfig } from '../../spec/base-config.ts';
import { MAX_BASE_BYTES } from '../../spec/limits.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import type { BaseConfigLocation } from '../config/home.ts';
import { readOptionalText, writeText } from '../config/setting-edit.ts';
import { fingerprintFile } from './loaded-files.ts';
import { readText } from './read-text.ts';
import { hashText } from './spec-versions.ts';

/** The base configuration as it was loaded. */
export interface LoadedBase {
  readonly text?: string;
  /** Absent if there is no file, or it has errors or no fields. */
  readonly config?: BaseConfig;
  /** Each names the file of the base configuration. */
  readonly diagnostics: readonly Diagnostic[];
}

const nothing: LoadedBase = { diagnostics: [] };

/** The base configuration of a home. The file is read again only after it has changed. */
export class BaseFile {
  readonly #location: BaseConfigLocation;
  readonly #clock: Pick<Clock, 'now'>;
  #stamp: string | undefined;
  #loaded: LoadedBase = nothing;

  constructor(location: BaseConfigLocation, clock: Pick<Clock, 'now'>) {
    this.#location = location;
    this.#clock = clock;
  }

  /** Returns the current base configuration: the same object as before if nothing has changed. Never throws. */
  read(): LoadedBase {
    const { file } = this.#location;
    const fingerprint = fingerprintFile(file, this.#clock.now());
    if (fingerprint !== undefined && fingerprint.stamp === this.#stamp) return this.#loaded;
    this.#stamp = fingerprint === undefined || fingerprint.isFresh ? undefined : fingerprint.stamp;
    if (fingerprint === undefined) return this.#replace(this.#missing());
    if (!fingerprint.isFile)
      return this.#replace(withError(file, 'This is not a file. Replace it with a YAML file.'));
    try {
      const { text, problem } = readText(file);
      if (problem !== undefined) return this.#replace({ diagnostics: [problem] });
      if (text === this.#loaded.text) return this.#loaded;
      if (countUtf8Bytes(text) > MAX_BASE_BYTES) return this.#replace(withError(file, tooLarge));
      const { base, diagnostics } = loadBaseConfig({ text, file });
      return (this.#loaded = { text, config: base, diagnostics });
    } catch (error) {
      return this.#replace(withError(file, toAppError(error).message));
    }
  }

  #missing(): LoadedBase {
    if (!this.#location.isNamed) return nothing;
    return withError(
      this.#location.file,
      'The base configuration file (ENGINE_BASE_CONFIG, paths.baseConfig) does not exist. Create it, or remove the setting.',
    );
  }

  /** Keeps the previous object if the content is the same, so that workflows need not be loaded again. */
  #replace(loaded: LoadedBase): LoadedBase {
    const [known] = this.#loaded.diagnostics;
    const isKnown = this.#loaded.text === undefined && known?.message === loaded.diagnostics[0]?.message;
    if (!isKnown) this.#loaded = loaded;
    return this.#loaded;
  }
}

const tooLarge = `The base configuration is larger than ${MAX_BASE_BYTES / 1024} KiB. Move values to a dotenv file or into the workflows.`;

const withError = (file: string, message: string): LoadedBase => ({
  diagnostics: [{ severity: 'error', message, file, line: 1, column: 1, path: '' }],
});

/** The base configuration for an editor. */
export interface BaseText {
  readonly exists: boolean;
  /** Empty if the file does not exist. */
  readonly text: string;
  readonly hash: string;
  /** Absent if there are errors or no fields. */
  readonly config?: BaseConfig | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the base configuration, which may not exist yet.
 * @param file absolute path
 * @throws `home_unusable`
 */
export function readBaseText(file: string): BaseText {
  const text = readOptionalText(file);
  const { base, diagnostics } = loadBaseConfig({ text, file });
  return { exists: existsSync(file), text, hash: hashText(text), config: base, diagnostics };
}

/**
 * Replaces the text of the base configuration.
 * @param baseHash hash of the text that was edited
 * @throws `invalid_spec`, because no workflow could run, `conflict`, `home_unusable` or `storage_full`
 */
export function writeBaseText(file: string, text: string, baseHash?: string): void {
  const { hash } = readBaseText(file);
  if (baseHash !== undefined && baseHash !== hash)
    throw new AppError(
      'conflict',
      'The base configuration has changed since you read it. Reload it and apply your change again.',
      { details: { hash } },
    );
  const errors = loadBaseConfig({ text, file }).diagnostics.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (first !== undefined)
    throw new AppError('invalid_spec', `Invalid base configuration, not saved: ${formatDiagnostic(first)}`, {
      details: { diagnostics: errors },
    });
  if (!text.isWellFormed() || countUtf8Bytes(text) > MAX_BASE_BYTES)
    throw new AppError(
      'bad_request',
      `spec: must be valid UTF-8 of at most ${MAX_BASE_BYTES / 1024} KiB. Move values to a dotenv file or into the workflows.`,
      { details: { field: 'spec' } },
    );
  writeText(file, text);
}
