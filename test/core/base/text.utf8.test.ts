import { expect, test } from 'vitest';
import { countUtf8Bytes } from '../../../core/base/text.ts';

test.each(['', 'abc', 'äöü', '€', '😀', 'a😀b€', '\u0000\u007f\u0080\u07ff\u0800\uffff'])(
  'counts the bytes of %j in UTF-8',
  (text) => {
    expect(countUtf8Bytes(text)).toBe(Buffer.byteLength(text));
  },
);
