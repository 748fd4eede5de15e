import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, describe, expect, test } from 'vitest';
import { Pronouns, maxRemembered } from '../../../core/quotes/pronoun/pronouns.ts';
import { personalize, QuoteCollection } from '../../../core/quotes/quote-collection.ts';
import { readQuoteData } from '../../../core/quotes/quote-data.ts';
import { readName } from '../../../core/quotes/read-name.ts';
import { analyzeQuote } from '../../../scripts/quotes/analyze-quote.ts';

const folder = join(import.meta.dirname, '../../../resources/quotes');
const readJson = (file: string): object => JSON.parse(readFileSync(join(folder, file), 'utf8')) as object;
const data = readQuoteData();
const all = [...data.generic, ...data.personalized];

describe('the quotes that come with the product', () => {
  test('fit their schema', () => {
    const validate = new Ajv({ strict: true, allErrors: true }).compile(readJson('quotes.schema.json'));
    validate(readJson('quotes.json'));
    expect(validate.errors).toBeNull();
  });

  test('are at least 80 of each kind, about the Dispatcher or whom they name', () => {
    expect(data.generic.length).toBeGreaterThanOrEqual(80);
    expect(data.personalized.length).toBeGreaterThanOrEqual(80);
    expect(data.generic.filter(({ text }) => !text.includes('Dispatcher') || text.includes('{'))).toEqual([]);
    expect(data.personalized.filter(({ text }) => !text.includes('{name}'))).toEqual([]);
  });

  test('are there once each, as are their ids, also those of removed ones', () => {
    const ids = [...all, ...data.removed].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const plain = all.map(({ text }) => text.toLowerCase().replaceAll(/[^a-z]+/g, ' '));
    expect(new Set(plain).size).toBe(plain.length);
  });

  test('are short, and hold nothing that HTML or an attribute would take for its own', () => {
    expect(all.filter(({ text }) => text.length > 150)).toEqual([]);
    expect(all.filter(({ text }) => /[<>&"'`\\\p{Cc}]/u.test(text))).toEqual([]);
  });

  // `npm run generate` makes them; test/scripts looks whether it has been done.
  test('have structures of all their words', () => {
    expect(Object.keys(data.structures)).toEqual(all.map(({ id }) => id));
    const letters = (text: string): string => text.replaceAll(/[^\p{L}\p{N}{}]+/gu, '');
    for (const { id, text } of all) {
      const words = data.structures[id]!.flatMap((sentence) => sentence.words.map(({ word }) => word));
      expect(letters(words.join(''))).toBe(letters(text));
    }
  });
});

test('the analysis tells sentences and sorts of words apart', () => {
  expect(analyzeQuote('Who waits? The Dispatcher quietly gave {name} two keys!')).toEqual([
    {
      kind: 'question',
      words: [
        { word: 'Who', tag: 'pronoun' },
        { word: 'waits', tag: 'verb' },
      ],
    },
    {
      kind: 'exclamation',
      words: [
        { word: 'The', tag: 'determiner' },
        { word: 'Dispatcher', tag: 'name' },
        { word: 'quietly', tag: 'adverb' },
        { word: 'gave', tag: 'verb' },
        { word: '{name}', tag: 'name' },
        { word: 'two', tag: 'number' },
        { word: 'keys', tag: 'noun' },
      ],
    },
  ]);
});

describe('the book', () => {
  const small = {
    generic: [
      { id: 'g-001', text: 'The Dispatcher waits.' },
      { id: 'g-002', text: 'The Dispatcher still waits.' },
    ],
    personalized: [{ id: 'p-001', text: '{name} has the pencil of {name}.' }],
    removed: [{ id: 'g-003', on: '2026-01-01', reason: 'It hurried.' }],
    structures: {
      'g-001': analyzeQuote('The Dispatcher waits.'),
      'g-002': analyzeQuote('The Dispatcher still waits.'),
      'p-001': analyzeQuote('{name} has the pencil of {name}.'),
    },
  };

  test('picks any of them, by chance', () => {
    expect(new QuoteCollection(small, () => 0).pickGeneric().id).toBe('g-001');
    expect(new QuoteCollection(small, () => 0.999_999).pickGeneric().id).toBe('g-002');
  });

  test('knows what it has, what it had and what it never had', () => {
    const book = new QuoteCollection(small);
    expect(book.find('p-001')).toMatchObject({ id: 'p-001' });
    expect(() => book.find('g-003')).toThrow('Quote g-003 was removed on 2026-01-01: It hurried.');
    for (const id of ['g-004', '__proto__', 'constructor', ''])
      expect(() => book.find(id)).toThrow(`Quote ${JSON.stringify(id)} not found.`);
  });

  test('puts a name in as it is, in the text and in the structure', () => {
    const quote = new QuoteCollection(small).pickPersonal();
    const view = personalize(quote, { name: 'the $& {name} (two)', pronoun: 'it' });
    expect(view.message).toBe('The $& {name} (two) has the pencil of the $& {name} (two).');
    expect(view.nickname).toBe('the $& {name} (two)');
    expect(view.nlp_attributes.quote_structure[0]!.words[0]).toEqual({
      word: 'The $& {name} (two)',
      tag: 'name',
    });
  });
});

test.each([
  ['Ada', 'Ada'],
  ['  the\tbuild   server ', 'the build server'],
  ["O'Brien", 'O’Brien'],
  ['Jose\u0301', 'José'],
  ['李雷', '李雷'],
  ['हिन्दी', 'हिन्दी'],
  ['team #7 (ops/night), v1.2!', 'team #7 (ops/night), v1.2!'],
  ['👩'.length === 2 ? 'x'.repeat(80) : '', 'x'.repeat(80)],
])('a name: %s', (given, name) => {
  expect(readName(given)).toBe(name);
});

describe('pronouns', () => {
  const guesses = new Pronouns();
  afterAll(() => guesses.close());

  test.each([
    ['Ada Lovelace', 'she'],
    ['Mrs Jones', 'she'],
    ['Linus', 'he'],
    ['Mr. Smith', 'he'],
    ['the build server', 'it'],
    ['database', 'it'],
    ['nightly jobs', 'they'],
    ['Maria and Jose', 'they'],
    ['Xyrqv Blint', 'they'],
    ['everyone', 'they'],
    ['42', 'they'],
  ])('%s: %s', async (name, pronoun) => {
    expect(await guesses.guess(name)).toBe(pronoun);
  });

  test('are guessed once for each name, in a thread that may end', async () => {
    expect(await guesses.guess('Grace')).toBe(await guesses.guess('Grace'));
    const lost = guesses.guess('somebody else');
    await guesses.close();
    expect(await lost).toBe('they');
    expect(await guesses.guess('Anna')).toBe('she');
    expect(maxRemembered).toBeGreaterThan(100);
  });
});
