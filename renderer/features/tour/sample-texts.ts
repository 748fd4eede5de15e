// This module loads only when there are no workflows, so the texts are not part of the initial load.
const texts = import.meta.glob<string>(
  '../../../resources/templates/{first-steps,parallel-with-retry,sub-workflows}.yaml',
  { query: '?raw', import: 'default', eager: true },
);

const textOf = (template: string): string => texts[`../../../resources/templates/${template}.yaml`] ?? '';

/** A sample workflow without special requirements. */
export interface Sample {
  /** File name without extension. */
  readonly name: string;
  readonly title: string;
  readonly text: string;
  /** Description of what it demonstrates. */
  readonly words: string;
}

export const samples: readonly Sample[] = [
  {
    name: 'hello',
    title: 'Hello',
    text: textOf('first-steps'),
    words: 'Three steps with a parameter and an output used by the next step.',
  },
  {
    name: 'parallel-with-retry',
    title: 'Parallel steps with a retry',
    text: textOf('parallel-with-retry'),
    words: 'Two parallel steps. One fails twice and is retried.',
  },
  {
    name: 'two-regions',
    title: 'Sub-workflows',
    text: textOf('sub-workflows'),
    words: 'One workflow run for two regions, each as its own sub-run.',
  },
];
