import { homedir } from 'node:os';
import path from 'node:path';
import { splitVolume, type VolumeParts } from '../../../spec/container/volume.ts';

/** A volume whose source is known. */
export interface Volume extends VolumeParts {
  /** The source is written as a path relative to the working directory, so that it may be made there. */
  readonly isRelative: boolean;
}

/**
 * Reads a volume; a source that begins with `.` or `~`, or has a `/` in it, is a path (as in Dagu: relative ones count
 * from the working directory). Throws when the text is no volume.
 */
export function readVolume(text: string, workingDir: string): Volume {
  const { source, ...parts } = splitVolume(text);
  const isPath = /^[.~]|[\\/]/.test(source);
  const isRelative = isPath && !path.isAbsolute(source) && !source.startsWith('~');
  return { ...parts, source: isPath ? resolveSource(source, workingDir) : source, isRelative };
}

function resolveSource(source: string, workingDir: string): string {
  if (source === '~' || source.startsWith('~/')) return path.join(homedir(), source.slice(1));
  return path.resolve(workingDir, source);
}
