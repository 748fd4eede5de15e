import { homedir } from 'node:os';
import path from 'node:path';
import { splitVolume, type ParsedVolume } from '../../../spec/container/volume.ts';

/** A volume with a resolved source. */
export interface Volume extends ParsedVolume {
  /** The source is a path relative to the working directory, so it may be created there. */
  readonly isRelative: boolean;
}

/**
 * Parses a volume. A source that starts with `.` or `~`, or contains a `/`, is a path, as in Dagu; relative paths are
 * resolved from the working directory.
 * @throws if the string is not a volume
 */
export function readVolume(text: string, workingDir: string): Volume {
  const { source, ...options } = splitVolume(text);
  const isPath = /^[.~]|[\\/]/.test(source);
  const isRelative = isPath && !path.isAbsolute(source) && !source.startsWith('~');
  return { ...options, source: isPath ? resolveSource(source, workingDir) : source, isRelative };
}

function resolveSource(source: string, workingDir: string): string {
  if (source === '~' || source.startsWith('~/')) return path.join(homedir(), source.slice(1));
  return path.resolve(workingDir, source);
}
