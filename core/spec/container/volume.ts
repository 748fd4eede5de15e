/** The parts of a volume as written. */
export interface ParsedVolume {
  /** Path on this machine, or the name of a volume. */
  readonly source: string;
  /** Absolute path in the container. */
  readonly target: string;
  /** For example `ro`. */
  readonly options: string | undefined;
}

/**
 * Splits `SOURCE:TARGET` or `SOURCE:TARGET:OPTIONS`.
 * @throws if the string is not a volume
 */
export function splitVolume(text: string): ParsedVolume {
  const match = /^((?:[A-Za-z]:[\\/])?[^:]+):([^:]+)(?::([^:]*))?$/.exec(text.trim());
  const [, source = '', target = '', options] = match ?? [];
  if (!target.startsWith('/'))
    throw new Error(
      `Invalid volume "${text}". Use SOURCE:TARGET with an absolute TARGET in the container, such as "./data:/data" or "cache:/cache:ro".`,
    );
  return { source, target, options };
}
