import { configTable } from './config-table.ts';

/** Memory limit of jq, in MiB. */
export const jqMemory = { default: 256, min: 32, max: 1024 } as const;

/** `config` of a step of type `jq`. */
export const jqTable = configTable({
  raw: {
    kind: 'flag',
    description: 'Print strings without quotes. Default: false.',
  },
  compact: {
    kind: 'flag',
    description: 'Print each result on one line. Default: false.',
  },
  input: {
    kind: 'text',
    description: 'JSON to query, instead of "script".',
    example: '${RESULT}',
  },
  inputFile: {
    kind: 'text',
    description: 'JSON file to query.',
    example: 'orders.json',
  },
  queryFile: {
    kind: 'text',
    description: 'File that contains the query, instead of "command".',
    example: 'report.jq',
  },
  args: {
    kind: 'textMap',
    description: 'String variables for the query, like jq --arg.',
    example: { city: '${CITY}' },
  },
  nullInput: {
    kind: 'flag',
    description: 'Run the query once with null input. Default: false.',
  },
  slurp: {
    kind: 'flag',
    description: 'Read all input values into one array. Default: false.',
  },
  maxMemoryMiB: {
    kind: 'number',
    description: `Memory limit in MiB, ${jqMemory.min} to ${jqMemory.max}. Default: ${jqMemory.default}.`,
    example: 512,
  },
});
