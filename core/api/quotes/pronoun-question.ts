import type { Pronoun } from '../../model/quote.ts';

/** Request to the worker thread. */
export interface PronounQuestion {
  readonly id: number;
  readonly name: string;
}

/** Response of the worker thread. */
export interface PronounAnswer {
  readonly id: number;
  readonly pronoun?: Pronoun;
  /** Why there is no result. */
  readonly fault?: string;
}
