import { Transform, type TransformCallback } from 'node:stream';
import { mask, MaskScanner, PatternTree } from './mask-scanner.ts';

/** Marks where a string was truncated; the start of a secret may precede it. */
const clipMark = '…';

/**
 * Masks the values of secrets: each becomes `*******`, as does a value without its trailing line breaks and each
 * longer line of a value with several lines. Encoded values (base64, URL, JSON) are not detected.
 */
export class Masker {
  readonly #values: Set<string>;
  /** Absent if a value was added since it was built. */
  #known: PatternTree | undefined;

  /** @param values values of the secrets; empty ones are ignored */
  constructor(values: Iterable<string>) {
    this.#values = new Set(values);
  }

  /** Masks one more value from now on, including in open streams. */
  add(value: string): void {
    if (this.#values.has(value)) return;
    this.#values.add(value);
    this.#known = undefined;
  }

  /** Whether there is nothing to mask. */
  get isEmpty(): boolean {
    return this.#tree.isEmpty;
  }

  /**
   * Masks secrets in a string, including the start of a secret before a `…`. Returns the same string if it has none.
   */
  mask(text: string): string {
    if (this.isEmpty) return text;
    const bytes = Buffer.from(text);
    const scanner = new MaskScanner(this.#tree);
    const maskedText = Buffer.concat([...scanner.push(bytes), ...scanner.finish()]);
    const visible = maskedText.equals(bytes) ? text : maskedText.toString();
    if (!visible.includes(clipMark)) return visible;
    const segments = visible.split(clipMark);
    return [...segments.slice(0, -1).map((segment) => this.#maskEnd(segment)), segments.at(-1)].join(
      clipMark,
    );
  }

  /** Masks secrets in the strings and keys of a JSON value. Returns the same object if it has none. */
  maskJson<T>(value: T): T {
    return this.isEmpty ? value : (this.#maskDeep(value) as T);
  }

  /** Returns a stream that masks secrets, including those split over several writes. Other bytes pass unchanged. */
  stream(): Transform {
    return new MaskStream(() => this.#tree);
  }

  /** Built on first use, so that many values can be added one by one. */
  get #tree(): PatternTree {
    return (this.#known ??= new PatternTree(listPatterns(this.#values)));
  }

  /** Masks the end of a truncated string, which may end inside a secret and even inside a surrogate pair. */
  #maskEnd(clipped: string): string {
    const scanner = new MaskScanner(this.#tree);
    const maskedText = Buffer.concat(scanner.push(Buffer.from(clipped.replace(/[\uD800-\uDBFF]$/, ''))));
    return scanner.finish().length === 0 ? clipped : `${maskedText.toString()}${mask}`;
  }

  #maskDeep(value: unknown): unknown {
    if (typeof value === 'string') return this.mask(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const items = value.map((item) => this.#maskDeep(item));
      return items.every((item, index) => item === value[index]) ? value : items;
    }
    return this.#maskEntries(value);
  }

  #maskEntries(value: object): object {
    const masked = new Map<string, unknown>();
    let changed = false;
    for (const [key, item] of Object.entries(value)) {
      let maskedKey = this.mask(key);
      // Two keys that are the same after masking must both stay.
      while (masked.has(maskedKey)) maskedKey += '*';
      const maskedText = this.#maskDeep(item);
      changed ||= maskedKey !== key || maskedText !== item;
      masked.set(maskedKey, maskedText);
    }
    return changed ? Object.fromEntries(masked) : value;
  }
}

class MaskStream extends Transform {
  readonly #readTree: () => PatternTree;
  #tree: PatternTree;
  #scanner: MaskScanner;

  /** @param readTree returns the current patterns */
  constructor(readTree: () => PatternTree) {
    super();
    this.#readTree = readTree;
    this.#tree = readTree();
    this.#scanner = new MaskScanner(this.#tree);
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    done(null, join([...this.#adopt(), ...this.#scanner.push(chunk)]));
  }

  override _flush(done: TransformCallback): void {
    done(null, join(this.#scanner.finish()));
  }

  /**
   * Switches to the patterns that were added in the meantime, starting with the held-back bytes. @returns the output
   */
  #adopt(): Uint8Array[] {
    const tree = this.#readTree();
    if (tree === this.#tree) return [];
    const held = this.#scanner.finish();
    this.#tree = tree;
    this.#scanner = new MaskScanner(tree);
    return held.flatMap((chunk) => this.#scanner.push(chunk));
  }
}

/** Joins buffers; an empty buffer adds nothing to a stream. */
const join = (segments: readonly Uint8Array[]): Uint8Array =>
  segments.length === 1 ? segments[0]! : Buffer.concat(segments);

/**
 * Minimum number of non-blank characters for a line to be masked separately; shorter lines, such as a bracket or
 * `EOF`, are not secret.
 */
const minLineCharacters = 4;

/**
 * Returns the strings to search so that the values are masked, as UTF-8 without duplicates: each value, the
 * value without its trailing line breaks (as `$(…)` returns it), and each of its longer lines without surrounding
 * spaces (as printed by a program that reads line by line). A value that only consists of line breaks is ignored.
 */
function listPatterns(values: Iterable<string>): Buffer[] {
  const texts = new Set<string>();
  for (const value of values) {
    const stripped = value.replace(/[\r\n]+$/, '');
    if (stripped === '') continue;
    texts.add(value).add(stripped);
    const lines = stripped.split(/[\r\n]+/);
    if (lines.length > 1) for (const line of lines) if (isDistinctive(line)) texts.add(line.trim());
  }
  return [...texts].map((text) => Buffer.from(text));
}

const isDistinctive = (line: string): boolean => line.replaceAll(/\s/g, '').length >= minLineCharacters;
