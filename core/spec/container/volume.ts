/** The parts of a volume as it is written. */
export interface VolumeParts {
  /** Path on this machine, or name of a volume of the engine. */
  readonly source: string;
  /** Absolute path in the container. */
  readonly target: string;
  /** Such as `ro`. */
  readonly options: string | undefined;
}

/** Takes `SOURCE:TARGET` or `SOURCE:TARGET:OPTIONS` apart. Throws when the text is none. */
export function splitVolume(text: string): VolumeParts {
  const match = /^((?:[A-Za-z]:[\\/])?[^:]+):([^:]+)(?::([^:]*))?$/.exec(text.trim());
  const [, source = '', target = '', options] = match ?? [];
  if (!target.startsWith('/'))
    throw new Error(
      `Invalid volume "${text}". Use SOURCE:TARGET with an absolute TARGET in the container, such as "./data:/data" or "cache:/cache:ro".`,
    );
  return { source, target, options };
}
