import { AppError } from '../../base/errors.ts';
import { type CharacterSet, type Instruction, namedSets, type Program, type Range } from './program.ts';

/** Instructions of one pattern. */
const mostInstructions = 1000;
const deepest = 50;

/** Pieces of a pattern, put together to a program when all of it is known. */
type Piece = readonly Instruction[];

const anything: CharacterSet = { ranges: [], isNegated: true };

/**
 * Reads a regular expression of the kind that can be looked for in time that grows with the text alone: no back
 * references, no look-around. Throws `bad_request` that says where the pattern is wrong.
 */
export function compilePattern(pattern: string): Program {
  return [...new Reader(pattern).read(), { kind: 'found' }];
}

class Reader {
  readonly #characters: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(pattern: string) {
    this.#characters = Array.from(pattern);
  }

  read(): Piece {
    const piece = this.#readChoice();
    if (this.#at < this.#characters.length) throw this.#refuse('there is a ")" without a "("');
    return piece;
  }

  #readChoice(): Piece {
    let piece = this.#readSequence();
    while (this.#skip('|')) piece = this.#bounded(either(piece, this.#readSequence()));
    return piece;
  }

  #readSequence(): Piece {
    let pieces: Instruction[] = [];
    for (let next = this.#peek(); next !== undefined && next !== '|' && next !== ')'; next = this.#peek())
      pieces = [...pieces, ...shift(this.#readRepeated(), pieces.length)];
    return this.#bounded(pieces);
  }

  #readRepeated(): Piece {
    let piece = this.#readOne();
    for (;;) {
      const times = this.#readTimes();
      if (times === undefined) return piece;
      const [least, most] = times;
      // Whether it takes much or little makes no difference to whether it is there.
      this.#skip('?');
      const size = (piece.length + 2) * (Math.max(least, most ?? 0) + 1);
      if (size > mostInstructions) throw this.#refuse('it repeats too much');
      piece = this.#bounded(repeat(piece, least, most));
    }
  }

  /** `[least, most]`, without a most for any number; undefined where nothing is repeated. */
  #readTimes(): [number, number | undefined] | undefined {
    if (this.#skip('*')) return [0, undefined];
    if (this.#skip('+')) return [1, undefined];
    if (this.#skip('?')) return [0, 1];
    const rest = this.#characters.slice(this.#at, this.#at + 12).join('');
    const braces = /^\{(\d{1,4})(?:(,)(\d{0,4}))?\}/.exec(rest);
    if (braces === null) return undefined;
    this.#at += braces[0].length;
    const least = Number(braces[1]);
    if (braces[2] === undefined) return [least, least];
    const most = braces[3] === '' ? undefined : Number(braces[3]);
    if (most !== undefined && most < least) throw this.#refuse('the numbers in {} are out of order');
    return [least, most];
  }

  #readOne(): Piece {
    const character = this.#take();
    switch (character) {
      case '(':
        return this.#readGroup();
      case '[':
        return take(this.#readSet());
      case '\\':
        return this.#readEscape();
      case '.':
        return take(anything);
      case '^':
        return [{ kind: 'assert', that: 'start' }];
      case '$':
        return [{ kind: 'assert', that: 'end' }];
      case '*':
      case '+':
      case '?':
        throw this.#refuse(`there is nothing before "${character}" to repeat`);
      default:
        return take(only(character));
    }
  }

  #readGroup(): Piece {
    if (this.#skip('?') && !this.#skip(':')) throw this.#refuse('groups are ( ) and (?: ) only');
    this.#depth += 1;
    if (this.#depth > deepest) throw this.#refuse('its groups are nested too deeply');
    const piece = this.#readChoice();
    if (!this.#skip(')')) throw this.#refuse('a ")" is missing');
    this.#depth -= 1;
    return piece;
  }

  #readEscape(): Piece {
    if (this.#skip('b')) return [{ kind: 'assert', that: 'boundary' }];
    if (this.#skip('B')) return [{ kind: 'assert', that: 'no_boundary' }];
    return take(this.#readEscapedSet());
  }

  #readEscapedSet(): CharacterSet {
    const character = this.#take('a character after "\\" is missing');
    const named = namedSets[character.toLowerCase()];
    if (named !== undefined) return { ranges: named, isNegated: character !== character.toLowerCase() };
    if (character === 't') return only('\t');
    if (/[0-9A-Za-z]/.test(character)) throw this.#refuse(`"\\${character}" is not known here`);
    return only(character);
  }

  #readSet(): CharacterSet {
    const isNegated = this.#skip('^');
    const ranges: Range[] = [];
    for (let isFirst = true; isFirst || this.#peek() !== ']'; isFirst = false) {
      const low = this.#readMember();
      if (low.isNegated) throw this.#refuse('\\D, \\W and \\S cannot be in [ ]');
      const [lone] = low.ranges;
      const isSingle = low.ranges.length === 1 && lone![0] === lone![1];
      if (!isSingle || this.#peek() !== '-' || this.#characters[this.#at + 1] === ']') {
        ranges.push(...low.ranges);
        continue;
      }
      this.#at += 1;
      const high = this.#readMember().ranges[0]!;
      if (high[0] !== high[1] || high[0] < lone![0]) throw this.#refuse('a range in [ ] is out of order');
      ranges.push([lone![0], high[0]]);
    }
    this.#at += 1;
    return { ranges, isNegated };
  }

  #readMember(): CharacterSet {
    const character = this.#take('a "]" is missing');
    return character === '\\' ? this.#readEscapedSet() : only(character);
  }

  #peek(): string | undefined {
    return this.#characters[this.#at];
  }

  #skip(character: string): boolean {
    if (this.#peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  #take(missing = 'it ends too early'): string {
    const character = this.#peek();
    if (character === undefined) throw this.#refuse(missing);
    this.#at += 1;
    return character;
  }

  #bounded(piece: Piece): Piece {
    if (piece.length > mostInstructions) throw this.#refuse('it is too long');
    return piece;
  }

  #refuse(problem: string): AppError {
    return new AppError(
      'bad_request',
      `q: this regular expression is wrong at character ${this.#at}: ${problem}`,
      {
        details: { field: 'q', character: this.#at },
      },
    );
  }
}

const take = (set: CharacterSet): Piece => [{ kind: 'take', set }];

function only(character: string): CharacterSet {
  const code = character.codePointAt(0)!;
  return { ranges: [[code, code]], isNegated: false };
}

/** The piece as it is further down. */
const shift = (piece: Piece, by: number): Instruction[] =>
  piece.map((instruction) => {
    if (instruction.kind === 'jump') return { kind: 'jump', to: instruction.to + by };
    if (instruction.kind !== 'split') return instruction;
    return { kind: 'split', first: instruction.first + by, second: instruction.second + by };
  });

function either(one: Piece, other: Piece): Piece {
  const second = one.length + 2;
  return [
    { kind: 'split', first: 1, second },
    ...shift(one, 1),
    { kind: 'jump', to: second + other.length },
    ...shift(other, second),
  ];
}

function repeat(piece: Piece, least: number, most: number | undefined): Piece {
  let repeated: Instruction[] = [];
  const add = (more: Piece): void => {
    repeated = [...repeated, ...shift(more, repeated.length)];
  };
  for (let count = 0; count < least; count += 1) add(piece);
  if (most === undefined) {
    add([{ kind: 'split', first: 1, second: piece.length + 2 }, ...shift(piece, 1), { kind: 'jump', to: 0 }]);
  } else {
    for (let count = least; count < most; count += 1)
      add([{ kind: 'split', first: 1, second: piece.length + 1 }, ...shift(piece, 1)]);
  }
  return repeated;
}
