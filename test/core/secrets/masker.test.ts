import { describe, expect, it } from 'vitest';
import { Masker } from '../../../core/secrets/masker.ts';

const mask = (text: string, ...values: string[]): string => new Masker(values).mask(text);

/** Passes pieces through a mask stream one write after the other, and tells what each one let out. */
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

describe('a text', () => {
  it('shows seven stars for a secret, however long', () => {
    expect(mask('a secret, a sécrét!', 'secret', 'sécrét')).toBe('a *******, a *******!');
    expect(mask('x1y11', '1')).toBe('x*******y**************');
  });

  it('is left alone without secrets in it', () => {
    const odd = 'lone \uD800 surrogate';
    expect(mask(odd, 'secret')).toBe(odd);
    expect(mask('', 'secret')).toBe('');
  });

  it('hides the beginning of a secret where the text was clipped', () => {
    expect(mask('was "a hunt…", wanted "hunt"', 'hunter2')).toBe('was "a *******…", wanted "hunt"');
    expect(mask('hunt… and hunter2…, then …', 'hunter2')).toBe('*******… and *******…, then …');
    expect(mask(`${'key\u{1F511}s'.slice(0, 4)}…`, 'key\u{1F511}s')).toBe('*******…');
    expect(mask('wait … for it', 'it… is')).toBe('wait … for it');
  });

  it('hides the longest of secrets that begin alike', () => {
    expect(mask('abcdef abcde', 'abc', 'abcdef')).toBe('******* *******de');
    expect(mask('abcdef', 'bcd', 'abcdef', 'f')).toBe('*******');
  });

  it('hides the whole stretch of occurrences that overlap, and only that', () => {
    expect(mask('-abcde-', 'abc', 'cde')).toBe('-*******-');
    expect(mask('-abcabc-', 'abc')).toBe('-**************-');
    expect(mask('-aaaaa-', 'aa')).toBe('-*******-');
  });

  it('hides a value as $(…) prints it', () => {
    expect(mask('token=abc\n!', 'abc\n')).toBe('token=*******!');
    expect(mask('token=abc!', 'abc\r\n\n')).toBe('token=*******!');
  });

  it('hides the lines of a value one by one, short ones left out', () => {
    const key = '{\n  "pin": "123",\r\n\n  end }\n}\n';
    expect(mask(key, key)).toBe('*******');
    expect(mask('line: "pin": "123",', key)).toBe('line: *******');
    expect(mask('{ } [end }]', key)).toBe('{ } [*******]');
    expect(mask('abc', 'abc\nabcd')).toBe('abc');
  });
});

it('has nothing to hide in empty values', () => {
  for (const values of [[], ['', '\n', '\r\n']]) {
    const masker = new Masker(values);
    expect(masker.isEmpty).toBe(true);
    expect(masker.mask('a\nb')).toBe('a\nb');
  }
  expect(new Masker(['x']).isEmpty).toBe(false);
});

describe('a JSON value', () => {
  const masker = new Masker(['secret']);

  it('is masked in texts and keys at any depth', () => {
    const value = { list: ['a secret', 1, null, true], secret: { deep: 'secret' }, plain: 'x' };
    expect(masker.maskJson(value)).toEqual({
      list: ['a *******', 1, null, true],
      '*******': { deep: '*******' },
      plain: 'x',
    });
    expect(value.list[0]).toBe('a secret');
  });

  it('is the same object when nothing was hidden', () => {
    const value = { list: ['a', { b: 1 }], none: null };
    expect(masker.maskJson(value)).toBe(value);
    expect(new Masker([]).maskJson(value)).toBe(value);
  });

  it('keeps entries whose keys look alike then, and treats no key in a special way', () => {
    const two = new Masker(['one', 'two']);
    expect(Object.values(two.maskJson({ one: 1, two: 2 }))).toEqual([1, 2]);
    const parsed = JSON.parse('{"__proto__": "secret"}') as object;
    expect(JSON.stringify(masker.maskJson(parsed))).toBe('{"__proto__":"*******"}');
  });
});

describe('a stream', () => {
  it('hides a secret that is split over many writes', async () => {
    expect((await passText(new Masker(['secret']), 'a secret!'.split(''))).join('')).toBe('a *******!');
    expect((await passText(new Masker(['sécret']), ['a s\u00E9', 'cret!'])).join('')).toBe('a *******!');
  });

  it('holds back only what may be the beginning of a secret', async () => {
    const masker = new Masker(['secret', 'abc', 'abcdef']);
    expect(await passText(masker, ['x s', 'ec', 'ond', ' secret', ' abc', 'd', 'ex', 'se'])).toEqual([
      'x ',
      '',
      'second',
      // Nothing longer begins like this one.
      ' *******',
      ' ',
      '',
      '*******dex',
      '',
      'se',
    ]);
  });

  it('lets everything else through byte by byte', async () => {
    const binary = Buffer.from(
      Array.from({ length: 65_536 }, (_, index) => (index * 7 + (index >> 8)) & 0xff),
    );
    const masker = new Masker(['\uFFFD', 'no such secret']);
    expect(Buffer.concat(await pass(masker, [binary])).equals(binary)).toBe(true);
    expect(Buffer.concat(await pass(new Masker([]), [binary])).equals(binary)).toBe(true);
  });
});

describe('a value that is added later', () => {
  it('is hidden from then on, in streams under way as well', async () => {
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

  it('is the first one', () => {
    const masker = new Masker([]);
    expect(masker.isEmpty).toBe(true);
    masker.add('late');
    expect(masker.isEmpty).toBe(false);
    expect(masker.maskJson({ a: 'too late' })).toEqual({ a: 'too *******' });
  });

  it('may be one of many', () => {
    const masker = new Masker([]);
    for (let index = 0; index < 20_000; index += 1) masker.add(`value number ${index}`);
    expect(masker.mask('value number 19999')).toBe('*******');
  });
});

describe('much text', () => {
  it('takes time in proportion when secrets nearly match everywhere', () => {
    const text = 'a'.repeat(1e6);
    expect(mask(text, `${'a'.repeat(1000)}b`)).toBe(text);
    expect(mask(text, `${'a'.repeat(1000)}b`, 'a'.repeat(999))).toBe('*******');
    const many = Array.from({ length: 1000 }, (_, index) => `${'a'.repeat(index + 1)}b`);
    expect(mask(text, ...many)).toBe(text);
  });

  it('takes time in proportion when it comes byte by byte', async () => {
    const masker = new Masker([`${'a'.repeat(100_000)}b`]);
    const pieces = Array.from({ length: 50_000 }, () => 'a');
    const out = await passText(masker, [...pieces, 'c']);
    expect(out.slice(0, -2).join('')).toBe('');
    expect(out.join('')).toBe(`${'a'.repeat(50_000)}c`);
  });

  it('may be hidden by a secret of a mebibyte', () => {
    const value = Array.from({ length: 40_000 }, (_, index) => `line ${index} of a long file`).join('\n');
    expect(mask(`<${value}>`, value)).toBe('<*******>');
    expect(mask('<line 39999 of a long file>', value)).toBe('<*******>');
  });
});
