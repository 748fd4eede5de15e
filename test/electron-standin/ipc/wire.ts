/**
 * Structured clone over JSON: the wire format of the stand-in's IPC. Both functions also run inside the page,
 * where they are injected as text (`page/injected-scripts.ts`), so they use only each other and globals
 * shared by Node and browsers.
 */

/** A value on the wire: JSON in which an object with the key `$` represents a special value. */
export type WireValue = string | number | boolean | null | WireValue[] | { [key: string]: WireValue };

/**
 * Encodes a value for the other end.
 * @throws Error with Electron's message for uncloneable values, such as functions and promises
 */
export function encodeForWire(value: unknown, ancestors: ReadonlySet<unknown> = new Set()): WireValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    const plain = Number.isFinite(value) && !Object.is(value, -0);
    return plain ? value : { $: 'number', text: Object.is(value, -0) ? '-0' : String(value) };
  }
  if (value === undefined) return { $: 'undefined' };
  if (typeof value === 'bigint') return { $: 'bigint', text: String(value) };
  if (typeof value !== 'object' || value instanceof Promise || value instanceof WeakMap) {
    throw new Error('An object could not be cloned.');
  }
  if (ancestors.has(value)) throw new Error('electron stand-in: cyclic values are not supported');
  const within = new Set([...ancestors, value]);
  const encodeInner = (inner: unknown): WireValue => encodeForWire(inner, within);
  if (Array.isArray(value)) return value.map(encodeInner);
  const special = encodeBuiltIn(value, encodeInner);
  if (special !== undefined) return special;
  const entries = Object.entries(value).map(([key, inner]) => [key, encodeInner(inner)] as const);
  // An object with its own key `$` must not be mistaken for a special one.
  return Object.hasOwn(value, '$') ? { $: 'object', entries: entries as never } : Object.fromEntries(entries);
}

/** Encodes an object of a class supported by structured clone. */
export function encodeBuiltIn(
  value: object,
  encodeInner: (inner: unknown) => WireValue,
): WireValue | undefined {
  if (value instanceof Date) return { $: 'date', time: value.getTime() };
  if (value instanceof RegExp) return { $: 'regexp', source: value.source, flags: value.flags };
  if (value instanceof Map) return { $: 'map', entries: encodeInner([...value]) };
  if (value instanceof Set) return { $: 'set', members: encodeInner([...value]) };
  if (value instanceof ArrayBuffer) {
    return { $: 'bytes', type: 'ArrayBuffer', text: encodeBytes(new Uint8Array(value)) };
  }
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    // Node's Buffer arrives as the class it extends.
    const type = value.constructor.name === 'Buffer' ? 'Uint8Array' : value.constructor.name;
    return { $: 'bytes', type, text: encodeBytes(bytes) };
  }
  if (value instanceof Error) {
    return { $: 'error', name: value.name, message: value.message, stack: value.stack ?? '' };
  }
  return undefined;
}

/** Base64. The page has no `Buffer`. */
export function encodeBytes(bytes: Uint8Array): string {
  const chunkLength = 0x8000;
  let text = '';
  for (let start = 0; start < bytes.length; start += chunkLength) {
    text += String.fromCharCode(...bytes.subarray(start, start + chunkLength));
  }
  return btoa(text);
}

/** Decodes a value of {@link encodeForWire} as a fresh copy. */
export function decodeFromWire(value: WireValue): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((inner) => decodeFromWire(inner));
  if (typeof value['$'] === 'string') return decodeBuiltIn(value['$'], value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, decodeFromWire(inner)]));
}

/** @param kind the value of the key `$` */
export function decodeBuiltIn(kind: string, value: { [key: string]: WireValue }): unknown {
  const text = value['text'] as string;
  switch (kind) {
    case 'undefined':
      return undefined;
    case 'number':
      return Number(text);
    case 'bigint':
      return BigInt(text);
    case 'date':
      return new Date(value['time'] as number);
    case 'regexp':
      return new RegExp(value['source'] as string, value['flags'] as string);
    case 'map':
      return new Map(decodeFromWire(value['entries'] ?? []) as [unknown, unknown][]);
    case 'set':
      return new Set(decodeFromWire(value['members'] ?? []) as unknown[]);
    case 'bytes':
      return decodeBytes(text, value['type'] as string);
    case 'error':
      return decodeError(value);
    case 'object':
      return Object.fromEntries(
        (value['entries'] as [string, WireValue][]).map(([key, inner]) => [key, decodeFromWire(inner)]),
      );
    default:
      throw new Error(`electron stand-in: unknown kind of value on the wire: ${kind}`);
  }
}

/** @param type the name of a typed array, DataView or ArrayBuffer */
export function decodeBytes(text: string, type: string): unknown {
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  if (type === 'Uint8Array') return bytes;
  if (type === 'ArrayBuffer') return bytes.buffer;
  const view = Reflect.get(globalThis, type) as new (buffer: ArrayBuffer) => unknown;
  return new view(bytes.buffer);
}

/** Errors retain built-in classes. */
export function decodeError(value: { [key: string]: WireValue }): Error {
  const name = value['name'] as string;
  const errorClass: unknown = name.endsWith('Error') ? Reflect.get(globalThis, name) : undefined;
  const constructor = typeof errorClass === 'function' ? (errorClass as ErrorConstructor) : Error;
  const error = new constructor(value['message'] as string);
  error.name = name;
  error.stack = value['stack'] as string;
  return error;
}
