import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EditorSelection } from '@codemirror/state';
import { findLineBreak } from '../../../../renderer/editor/session/line-breaks.ts';
import { openSession, type } from '../editor-harness.tsx';
import { propertyRuns } from '../../../harness/fuzzing.ts';

const textArb = fc
  .array(fc.constantFrom('a', 'b: 1', ' ', '\n', '\r\n', '\r', '\uFEFF', '\t', '🙂', '# x'), {
    maxLength: 40,
  })
  .map((parts) => parts.join(''));

describe('the document of a session', () => {
  it('equals the text byte for byte, with the same offsets', () => {
    fc.assert(
      fc.property(textArb, (text) => {
        const { session } = openSession(text);
        expect(session.text).toBe(text);
        expect(session.state.doc.length).toBe(text.length);
      }),
      { seed: 7 },
    );
  });

  it('changes only where an edit does, and undo restores the exact bytes', () => {
    fc.assert(
      fc.property(
        textArb,
        fc.array(fc.tuple(fc.nat(), fc.nat(3), textArb), { maxLength: 6 }),
        (text, edits) => {
          const { session } = openSession(text);
          const before = [session.text];
          for (const [at, length, insert] of edits) {
            const now = session.text;
            const from = at % (now.length + 1);
            const to = Math.min(now.length, from + length);
            session.apply([{ from, to, insert }], { label: 'edit' });
            expect(session.text).toBe(now.slice(0, from) + insert + now.slice(to));
            before.push(session.text);
          }
          while (session.view.undo !== undefined) session.undo();
          expect(session.text).toBe(text);
          expect(session.view.isDirty).toBe(false);
          while (session.view.redo !== undefined) session.redo();
          expect(session.text).toBe(before.at(-1));
        },
      ),
      { seed: 11 },
    );
  });

  it('leaves untouched text unchanged, and splits no line break', () => {
    const mixed = fc
      .array(fc.tuple(fc.constantFrom('a', 'bc', ''), fc.constantFrom('\n', '\r\n')), {
        minLength: 1,
        maxLength: 12,
      })
      .map((lines) => lines.map(([line, end]) => line + end).join(''));
    const event = fc.constantFrom('input.type', 'input.paste', 'delete.backward', 'move.line');
    fc.assert(
      fc.property(
        mixed,
        fc.nat(),
        fc.nat(4),
        fc.constantFrom('', 'x', '\n', 'p\nq', 'p\r\n'),
        event,
        (...options) => {
          const [text, at, length, insert, userEvent] = options;
          const { session } = openSession(text);
          const from = at % (text.length + 1);
          const to = Math.min(text.length, from + length);
          type(session, from, insert, to, userEvent);
          expect(session.text).not.toMatch(/\r(?!\n)/);
          expect(session.text.startsWith(text.slice(0, Math.max(0, from - 1)))).toBe(true);
          expect(session.text.endsWith(text.slice(to + 1))).toBe(true);
          session.undo();
          expect(session.text).toBe(text);
        },
      ),
      { seed: 13, numRuns: propertyRuns(400) },
    );
  });
});

describe('typing in a file with Windows line endings', () => {
  const text = 'one\r\ntwo\r\nthree';

  it.each([
    { what: 'a new line', from: 3, to: 3, insert: '\n', after: 'one\r\n\r\ntwo\r\nthree' },
    { what: 'text after the carriage return', from: 4, to: 4, insert: 'X', after: 'oneX\r\ntwo\r\nthree' },
    { what: 'Backspace at the start of a line', from: 4, to: 5, insert: '', after: 'onetwo\r\nthree' },
    { what: 'Delete at the end of a line', from: 3, to: 4, insert: '', after: 'onetwo\r\nthree' },
    { what: 'the rest of the line replaced', from: 1, to: 4, insert: 'X', after: 'oX\r\ntwo\r\nthree' },
    { what: 'pasted Unix lines', from: 5, to: 5, insert: 'a\nb\n', after: 'one\r\na\r\nb\r\ntwo\r\nthree' },
    { what: 'a line moved up', from: 3, to: 8, insert: '', after: 'one\r\nthree' },
  ])('$what', ({ from, to, insert, after }) => {
    const { session } = openSession(text);
    type(session, from, insert, to, insert === '' ? 'delete' : 'input.type');
    expect(session.text).toBe(after);
  });

  it('places no cursor between the two characters of a line break', () => {
    const { session } = openSession(text);
    session.dispatch({ selection: EditorSelection.single(4), userEvent: 'select' });
    expect(session.state.selection.main.head).toBe(3);
  });

  it('converts text of a Windows clipboard to Unix line endings in a Unix file', () => {
    const { session } = openSession('one\ntwo');
    type(session, 4, 'a\r\nb\r\n', 4, 'input.paste');
    expect(session.text).toBe('one\na\nb\ntwo');
  });
});

it('detects the most frequent line ending', () => {
  expect(findLineBreak('a\r\nb\r\nc\nd')).toBe('\r\n');
  expect(findLineBreak('a\nb\r\nc\n')).toBe('\n');
  expect(findLineBreak('')).toBe('\n');
});
