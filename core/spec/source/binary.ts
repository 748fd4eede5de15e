/** Where and why a text is binary data. */
export interface BinaryLocation {
  /** Offset of the first invalid character. */
  readonly offset: number;
  /** The problem and its solution. */
  readonly message: string;
}

// ASCII control characters that YAML 1.2, section 5.1, does not allow: all but tab and line breaks.
const controlCharacter = /[^\P{Cc}\t\n\r\u0080-\u009f]/u;

/**
 * Detects a binary file that was decoded as text.
 * @returns the first character that YAML does not allow, or undefined
 */
export function describeBinary(text: string): BinaryLocation | undefined {
  const offset = text.search(controlCharacter);
  if (offset < 0) return undefined;
  const code = text.charCodeAt(offset);
  if (code === 0) {
    return {
      offset,
      message: 'This is a binary file: it contains a NUL byte. Save it as YAML text in UTF-8.',
    };
  }
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return {
    offset,
    message: `Control character ${name} is not allowed in YAML. Remove it, or write it as "\\x${name.slice(-2).toLowerCase()}" in double quotes.`,
  };
}
