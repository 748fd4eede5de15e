// The module is loaded only where there are no workflows yet, so the texts are no part of the first load.
const texts = import.meta.glob<string>(
  '../../../resources/templates/{first-steps,parallel-with-retry,sub-workflows}.yaml',
  { query: '?raw', import: 'default', eager: true },
);

const textOf = (template: string): string => texts[`../../../resources/templates/${template}.yaml`] ?? '';

/** A workflow that runs anywhere, to see one. */
export interface Sample {
  /** Name of its file without the ending. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
  /** What can be seen in it. */
  readonly words: string;
}

export const samples: readonly Sample[] = [
  {
    name: 'hello',
    title: 'Hello',
    text: textOf('first-steps'),
    words: 'Three steps, a parameter, and an output that the next step uses.',
  },
  {
    name: 'parallel-with-retry',
    title: 'Parallel, with a retry',
    text: textOf('parallel-with-retry'),
    words: 'Two steps at once. One fails twice and is tried again.',
  },
  {
    name: 'two-regions',
    title: 'Sub-workflows',
    text: textOf('sub-workflows'),
    words: 'One workflow with a parameter, run for two regions. Each is a run of its own.',
  },
];
