import { isWord, type Program, takes } from './program.ts';

/** Looks for a program in lines, all ways at once: one pass over the line, never back. */
export class LineMatcher {
  readonly #program: Program;
  /** Places that are waiting for the next character, and the round in which each was added. */
  #places: number[] = [];
  #next: number[] = [];
  readonly #seen: Uint32Array;
  #round = 0;
  /** Instructions looked at so far, for whoever wants to bound the work. */
  work = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#seen = new Uint32Array(program.length);
  }

  /** Whether the program is found anywhere in the line. */
  matches(line: string): boolean {
    this.#places = [];
    let before: number | undefined;
    let index = 0;
    for (;;) {
      const code = line.codePointAt(index);
      this.#round += 1;
      this.#next = [];
      // What waited may go on, and it may begin here.
      for (const place of [...this.#places, 0]) if (this.#enter(place, before, code)) return true;
      if (code === undefined) return false;
      this.#places = this.#next.flatMap((place) => {
        const instruction = this.#program[place]!;
        return instruction.kind === 'take' && takes(instruction.set, code) ? [place + 1] : [];
      });
      before = code;
      index += code > 0xffff ? 2 : 1;
    }
  }

  /** Follows everything that takes no character; whether that leads to the end. */
  #enter(first: number, before: number | undefined, after: number | undefined): boolean {
    const open = [first];
    for (let place = open.pop(); place !== undefined; place = open.pop()) {
      if (this.#seen[place] === this.#round) continue;
      this.#seen[place] = this.#round;
      this.work += 1;
      const instruction = this.#program[place]!;
      switch (instruction.kind) {
        case 'found':
          return true;
        case 'take':
          this.#next.push(place);
          break;
        case 'jump':
          open.push(instruction.to);
          break;
        case 'split':
          open.push(instruction.first, instruction.second);
          break;
        case 'assert':
          if (holds(instruction.that, before, after)) open.push(place + 1);
      }
    }
    return false;
  }
}

function holds(that: string, before: number | undefined, after: number | undefined): boolean {
  if (that === 'start') return before === undefined;
  if (that === 'end') return after === undefined;
  return (isWord(before) !== isWord(after)) === (that === 'boundary');
}
