import type { JqJob } from '../../../../core/executors/jq/jq-job.ts';

/** A query of one input, without options. */
export const jqJob = (query: string, input: string): JqJob => ({
  query,
  inputName: '<input>',
  input: new TextEncoder().encode(input),
  texts: {},
  values: {},
  env: {},
  raw: false,
  compact: false,
  nullInput: false,
  slurp: false,
  memoryBytes: 256 * 1024 * 1024,
});
