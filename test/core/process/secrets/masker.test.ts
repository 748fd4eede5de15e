import { describe, expect, it } from 'vitest';
import { Masker } from '../../../../core/process/secrets/masker.ts';

const mask = (text: string, ...values: string[]): string => new Masker(values).mask(text);

/** Writes chunks to a mask stream one after the other, and returns the output of each. */
async function pass(masker: Masker, pieces: readonly (string | Uint8Array)[]): Promise<Buffer[]> {
  const stream = masker.stream();
  let shown: Buffer[] = [];
  stream.on('data', (piece: Buffer) => shown.push(piece));
  const out: Buffer[] = [];
  for (const piece of pieces) {
    await new Promise((resolve) => stream.write(piece, resolve));
    out.push(Buffer.concat(shown));
    shown = [];
  }
  await new Promise<void>((resolve) => stream.once('end', resolve).end());
  out.push(Buffer.concat(shown));
  return out;
}

const passText = async (masker: Masker, pieces: readonly string[]): Promise<string[]> =>
  (await pass(masker, pieces)).map((piece) => piece.toString());

describe('text', () => {
  it('shows seven asterisks for a secret of any length', () => {
    expect(mask('a secret, a sécrét!', 'secret', 'sécrét')).toBe('a *******, a *******!');
    expect(mask('x1y11', '1')).toBe('x*******y**************');
  });

  it('without secrets is unchanged', () => {
    const odd = 'lone \uD800 surrogate';
    expect(mask(odd, 'secret')).toBe(odd);
    expect(mask('', 'secret')).toBe('');
  });

  it('masks the beginning of a secret where the text was truncated', () => {
    expect(mask('was "a hunt…", wanted "hunt"', 'hunter2')).toBe('was "a *******…", wanted "hunt"');
    expect(mask('hunt… and hunter2…, then …', 'hunter2')).toBe('*******… and *******…, then …');
    expect(mask(`${'key\u{1F511}s'.slice(0, 4)}…`, 'key\u{1F511}s')).toBe('*******…');
    expect(mask('wait … for it', 'it… is')).toBe('wait … for it');
  });

  it('masks the longest of secrets with a common prefix', () => {
    expect(mask('abcdef abcde', 'abc', 'abcdef')).toBe('******* *******de');
    expect(mask('abcdef', 'bcd', 'abcdef', 'f')).toBe('*******');
  });

  it('masks the whole range of overlapping occurrences, and only that', () => {
    expect(mask('-abcde-', 'abc', 'cde')).toBe('-*******-');
    expect(mask('-abcabc-', 'abc')).toBe('-**************-');
    expect(mask('-aaaaa-', 'aa')).toBe('-*******-');
  });

  it('masks a value as $(…) prints it', () => {
    expect(mask('token=abc\n!', 'abc\n')).toBe('token=*******!');
    expect(mask('token=abc!', 'abc\r\n\n')).toBe('token=*******!');
  });

  it('masks the lines of a value separately, except short ones', () => {
    const key = '{\n  "pin": "123",\r\n\n  end }\n}\n';
    expect(mask(key, key)).toBe('*******');
    expect(mask('line: "pin": "123",', key)).toBe('line: *******');
    expect(mask('{ } [end }]', key)).toBe('{ } [*******]');
    expect(mask('abc', 'abc\nabcd')).toBe('abc');
  });
});

it('ignores empty values', () => {
  for (const values of [[], ['', '\n', '\r\n']]) {
    const masker = new Masker(values);
    expect(masker.isEmpty).toBe(true);
    expect(masker.mask('a\nb')).toBe('a\nb');
  }
  expect(new Masker(['x']).isEmpty).toBe(false);
});

describe('JSON value', () => {
  const masker = new Masker(['secret']);

  it('is masked in strings and keys at any depth', () => {
    const value = { list: ['a secret', 1, null, true], secret: { deep: 'secret' }, plain: 'x' };
    expect(masker.maskJson(value)).toEqual({
      list: ['a *******', 1, null, true],
      '*******': { deep: '*******' },
      plain: 'x',
    });
    expect(value.list[0]).toBe('a secret');
  });

  it('is the same object when nothing was masked', () => {
    const value = { list: ['a', { b: 1 }], none: null };
    expect(masker.maskJson(value)).toBe(value);
    expect(new Masker([]).maskJson(value)).toBe(value);
  });

  it('keeps entries whose keys become equal, and treats no key specially', () => {
    const two = new Masker(['one', 'two']);
    expect(Object.values(two.maskJson({ one: 1, two: 2 }))).toEqual([1, 2]);
    const parsed = JSON.parse('{"__proto__": "secret"}') as object;
    expect(JSON.stringify(masker.maskJson(parsed))).toBe('{"__proto__":"*******"}');
  });
});

describe('stream', () => {
  it('masks a secret that is split over many writes', async () => {
    expect((await passText(new Masker(['secret']), 'a secret!'.split(''))).join('')).toBe('a *******!');
    expect((await passText(new Masker(['sécret']), ['a s\u00E9', 'cret!'])).join('')).toBe('a *******!');
  });

  it('holds back only possible beginnings of a secret', async () => {
    const masker = new Masker(['secret', 'abc', 'abcdef']);
    expect(await passText(masker, ['x s', 'ec', 'ond', ' secret', ' abc', 'd', 'ex', 'se'])).toEqual([
      'x ',
      '',
      'second',
      // Nothing longer starts like this one.
      ' *******',
      ' ',
      '',
      '*******dex',
      '',
      'se',
    ]);
  });

  it('passes everything else through byte by byte', async () => {
    const binary = Buffer.from(
      Array.from({ length: 65_536 }, (_, index) => (index * 7 + (index >> 8)) & 0xff),
    );
    const masker = new Masker(['\uFFFD', 'no such secret']);
    expect(Buffer.concat(await pass(masker, [binary])).equals(binary)).toBe(true);
    expect(Buffer.concat(await pass(new Masker([]), [binary])).equals(binary)).toBe(true);
  });
});

describe('value added later', () => {
  it('is masked from then on, also in active streams', async () => {
    const masker = new Masker(['first']);
    const stream = masker.stream();
    const shown: Buffer[] = [];
    stream.on('data', (piece: Buffer) => shown.push(piece));
    const write = (text: string): Promise<void> =>
      new Promise((resolve) => stream.write(text, () => resolve()));
    await write('second fi');
    masker.add('second');
    await write('rst second sec');
    await write('ond');
    await new Promise<void>((resolve) => stream.once('end', resolve).end());
    expect(Buffer.concat(shown).toString()).toBe('second ******* ******* *******');
    expect(masker.mask('first second')).toBe('******* *******');
  });

  it('can be the first one', () => {
    const masker = new Masker([]);
    expect(masker.isEmpty).toBe(true);
    masker.add('late');
    expect(masker.isEmpty).toBe(false);
    expect(masker.maskJson({ a: 'too late' })).toEqual({ a: 'too *******' });
  });

  it('can be one of many', () => {
    const masker = new Masker([]);
    for (let index = 0; index < 20_000; index += 1) masker.add(`value number ${index}`);
    expect(masker.mask('value number 19999')).toBe('*******');
  });
});

describe('large text', () => {
  it('is masked in linear time when secrets nearly match everywhere', () => {
    const text = 'a'.repeat(1e6);
    expect(mask(text, `${'a'.repeat(1000)}b`)).toBe(text);
    expect(mask(text, `${'a'.repeat(1000)}b`, 'a'.repeat(999))).toBe('*******');
    const many = Array.from({ length: 1000 }, (_, index) => `${'a'.repeat(index + 1)}b`);
    expect(mask(text, ...many)).toBe(text);
  });

  it('is masked in linear time when it arrives byte by byte', async () => {
    const masker = new Masker([`${'a'.repeat(100_000)}b`]);
    const pieces = Array.from({ length: 50_000 }, () => 'a');
    const out = await passText(masker, [...pieces, 'c']);
    expect(out.slice(0, -2).join('')).toBe('');
    expect(out.join('')).toBe(`${'a'.repeat(50_000)}c`);
  });

  it('can contain a secret of a mebibyte', () => {
    const value = Array.from({ length: 40_000 }, (_, index) => `line ${index} of a long file`).join('\n');
    expect(mask(`<${value}>`, value)).toBe('<*******>');
    expect(mask('<line 39999 of a long file>', value)).toBe('<*******>');
  });
});
