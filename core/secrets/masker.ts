import { Transform, type TransformCallback } from 'node:stream';
import { mask, MaskScanner } from './mask-scanner.ts';
import { listPatterns } from './patterns.ts';
import { PatternTree } from './pattern-tree.ts';

/** Where a text was clipped; right before it may stand the beginning of a secret. */
const clipMark = '…';

/**
 * Hides the values of secrets: each becomes `*******`, and so does a value without the line breaks at its end and
 * each longer line of a value with several. Encodings of a value (base64, URL, JSON) are not looked for.
 */
export class Masker {
  readonly #values: Set<string>;
  /** Absent while a value has been added since it was made. */
  #known: PatternTree | undefined;

  /** @param values those of the secrets; empty ones hide nothing */
  constructor(values: Iterable<string>) {
    this.#values = new Set(values);
  }

  /** Hides one more value from now on, in streams under way as well. */
  add(value: string): void {
    if (this.#values.has(value)) return;
    this.#values.add(value);
    this.#known = undefined;
  }

  /** Whether there is nothing to hide. */
  get isEmpty(): boolean {
    return this.#tree.isEmpty;
  }

  /** The text without secrets, and without beginnings of secrets before a `…`; the same text when it has none. */
  mask(text: string): string {
    if (this.isEmpty) return text;
    const bytes = Buffer.from(text);
    const scanner = new MaskScanner(this.#tree);
    const shown = Buffer.concat([...scanner.push(bytes), ...scanner.finish()]);
    const whole = shown.equals(bytes) ? text : shown.toString();
    if (!whole.includes(clipMark)) return whole;
    const parts = whole.split(clipMark);
    return [...parts.slice(0, -1).map((part) => this.#maskEnd(part)), parts.at(-1)].join(clipMark);
  }

  /** A JSON value without secrets in its texts and keys; the same object when it has none. */
  maskJson<T>(value: T): T {
    return this.isEmpty ? value : (this.#maskDeep(value) as T);
  }

  /** Hides secrets in bytes on their way, also those that are split over several writes. Other bytes pass as they are. */
  stream(): Transform {
    return new MaskStream(() => this.#tree);
  }

  /** Made when it is needed, so that many values can be added one by one. */
  get #tree(): PatternTree {
    return (this.#known ??= new PatternTree(listPatterns(this.#values)));
  }

  /** A text that may end in the middle of a secret, and even of a character of two halves. */
  #maskEnd(clipped: string): string {
    const scanner = new MaskScanner(this.#tree);
    const shown = Buffer.concat(scanner.push(Buffer.from(clipped.replace(/[\uD800-\uDBFF]$/, ''))));
    return scanner.finish().length === 0 ? clipped : `${shown.toString()}${mask}`;
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
      let shownKey = this.mask(key);
      // Two keys that look alike now must both be kept.
      while (masked.has(shownKey)) shownKey += '*';
      const shown = this.#maskDeep(item);
      changed ||= shownKey !== key || shown !== item;
      masked.set(shownKey, shown);
    }
    return changed ? Object.fromEntries(masked) : value;
  }
}

class MaskStream extends Transform {
  readonly #readTree: () => PatternTree;
  #tree: PatternTree;
  #scanner: MaskScanner;

  /** @param readTree what is to be hidden now */
  constructor(readTree: () => PatternTree) {
    super();
    this.#readTree = readTree;
    this.#tree = readTree();
    this.#scanner = new MaskScanner(this.#tree);
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    done(null, join([...this.#adopt(), ...this.#scanner.push(piece)]));
  }

  override _flush(done: TransformCallback): void {
    done(null, join(this.#scanner.finish()));
  }

  /** Goes on with what has been added meanwhile, beginning with what is held back. @returns what of it may be shown */
  #adopt(): Uint8Array[] {
    const tree = this.#readTree();
    if (tree === this.#tree) return [];
    const held = this.#scanner.finish();
    this.#tree = tree;
    this.#scanner = new MaskScanner(tree);
    return held.flatMap((piece) => this.#scanner.push(piece));
  }
}

/** One buffer; an empty one adds nothing to a stream. */
const join = (parts: readonly Uint8Array[]): Uint8Array =>
  parts.length === 1 ? parts[0]! : Buffer.concat(parts);
