import type { Pronoun } from '../../model/quote.ts';

/** What the thread is asked. */
export interface PronounQuestion {
  readonly id: number;
  readonly name: string;
}

/** What it answers. */
export interface PronounAnswer {
  readonly id: number;
  readonly pronoun?: Pronoun;
  /** Why there is none. */
  readonly fault?: string;
}
