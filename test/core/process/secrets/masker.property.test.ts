import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Masker } from '../../../../core/process/secrets/masker.ts';
import { propertyRuns } from '../../../harness/fuzzing.ts';

const settings = { seed: 20_260_301, numRuns: propertyRuns(400) };

/** Few letters, so that secrets overlap, repeat and nearly match; two of them share bytes of their UTF-8. */
const letters = fc.constantFrom('a', 'b', 'é', 'ê', '\n');
const secrets = fc.array(fc.string({ unit: letters, maxLength: 6 }), { maxLength: 5 });
const texts = fc.string({ unit: letters, maxLength: 60 });

/** The definition, in quadratic time: ranges of overlapping occurrences, each one mask. */
function maskNaively(text: string, values: readonly string[]): string {
  const hidden: { start: number; end: number }[] = [];
  for (let start = 0; start < text.length; start += 1) {
    const fitting = values.filter((value) => value !== '' && text.startsWith(value, start));
    if (fitting.length === 0) continue;
    const end = start + Math.max(...fitting.map(({ length }) => length));
    const last = hidden.at(-1);
    if (last && start < last.end) last.end = Math.max(last.end, end);
    else hidden.push({ start, end });
  }
  let shown = '';
  let from = 0;
  for (const { start, end } of hidden) {
    shown += `${text.slice(from, start)}*******`;
    from = end;
  }
  return shown + text.slice(from);
}

/** Splits bytes at these positions. */
function split(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b);
  return [0, ...places].map((from, index) => bytes.subarray(from, places[index] ?? bytes.length));
}

async function passThrough(masker: Masker, pieces: readonly Buffer[]): Promise<Buffer> {
  const stream = masker.stream();
  const out: Buffer[] = [];
  stream.on('data', (piece: Buffer) => out.push(piece));
  for (const piece of pieces) stream.write(piece);
  await new Promise<void>((resolve) => stream.once('end', resolve).end());
  return Buffer.concat(out);
}

it('masks according to the definition', () => {
  const oneLine = secrets.map((values) => values.map((value) => value.replaceAll('\n', '')));
  fc.assert(
    fc.property(oneLine, texts, (values, text) => {
      expect(new Masker(values).mask(text)).toBe(maskNaively(text, values));
    }),
    settings,
  );
});

it('leaves no secret in text', () => {
  fc.assert(
    fc.property(secrets, texts, (values, text) => {
      const shown = new Masker(values).mask(text);
      const left = values.filter((value) => value.trim() !== '' && shown.includes(value.replace(/\n+$/, '')));
      expect(left).toEqual([]);
    }),
    settings,
  );
});

it('gives the same result for the whole and for any chunks', async () => {
  await fc.assert(
    fc.asyncProperty(secrets, texts, fc.array(fc.nat(), { maxLength: 8 }), async (values, text, cuts) => {
      const masker = new Masker(values);
      const shown = await passThrough(masker, split(Buffer.from(text), cuts));
      expect(shown.toString()).toBe(masker.mask(text));
    }),
    settings,
  );
});

it('passes any bytes without secrets unchanged, however they are split', async () => {
  const anyBytes = fc.uint8Array({ max: 120, maxLength: 80 }).map((bytes) => Buffer.from(bytes));
  await fc.assert(
    fc.asyncProperty(anyBytes, fc.array(fc.nat(), { maxLength: 8 }), async (bytes, cuts) => {
      // No byte above 120 in the text: none of these can occur completely, but their prefixes can.
      const masker = new Masker(['a{', 'ab|', '\0\u0001}']);
      expect((await passThrough(masker, split(bytes, cuts))).equals(bytes)).toBe(true);
    }),
    settings,
  );
});
