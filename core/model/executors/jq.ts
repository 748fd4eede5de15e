import { configTable } from './config-table.ts';

/** What jq may use of memory, in MiB. */
export const jqMemory = { default: 256, least: 32, most: 1024 } as const;

/** `config` of a step of type `jq`. */
export const jqTable = configTable({
  raw: {
    kind: 'flag',
    description:
      'Prints texts without quotes, null as an empty line, and objects and lists on one line each. Default: false.',
  },
  compact: {
    kind: 'flag',
    description: 'Prints each result on one line instead of indenting it by 4 spaces. Default: false.',
  },
  input: {
    kind: 'text',
    description: 'The JSON to query, in place of the script.',
    example: '${RESULT}',
  },
  inputFile: {
    kind: 'text',
    description: 'The file with the JSON to query; relative to the working folder.',
    example: 'orders.json',
  },
  queryFile: {
    kind: 'text',
    description: 'The file with the query, in place of the command; relative to the working folder.',
    example: 'report.jq',
  },
  args: {
    kind: 'textMap',
    description: 'Variables of the query: each name holds its text, as with --arg of jq.',
    example: { city: '${CITY}' },
  },
  nullInput: {
    kind: 'flag',
    description: 'Runs the query once, with null; "input" and "inputs" read the JSON. Default: false.',
  },
  slurp: {
    kind: 'flag',
    description: 'Runs the query once, on a list of all values of the input. Default: false.',
  },
  maxMemoryMiB: {
    kind: 'number',
    description: `Most memory that jq may use, in MiB, from ${jqMemory.least} to ${jqMemory.most}. Default: ${jqMemory.default}.`,
    example: 512,
  },
});
