import { existsSync } from 'node:fs';
import { AppError } from '../../base/errors.ts';
import { countUtf8Bytes } from '../../base/text.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { loadBaseConfig, type BaseConfig } from '../../spec/base-config.ts';
import { formatDiagnostic } from '../../spec/format-diagnostic.ts';
import { MAX_BASE_BYTES } from '../../spec/limits.ts';
import { readOptionalText, writeText } from '../config/setting-edit.ts';
import { hashText } from './spec-versions.ts';

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
