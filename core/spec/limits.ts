/** Largest workflow file, in bytes of UTF-8. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** Largest base configuration, in bytes of UTF-8: it is read on the main thread whenever it changes. */
export const MAX_BASE_BYTES = 64 * 1024;

/** Most steps in one file, all its documents, handlers not counted. */
export const MAX_STEPS = 10_000;

/** Most documents of one file, empty ones included; each workflow has a step at least. */
export const MAX_DOCUMENTS = 10_000;

/** Most dependencies between the steps of a workflow: two groups of a thousand steps in a chain have a million. */
export const MAX_DEPENDENCIES = 200_000;

/** Deepest nesting of lists and maps. Real workflows stay below ten; recursion over the nodes relies on it. */
export const MAX_DEPTH = 64;

/** Most values, keys not counted, that a file may write out; forty for each of 10,000 steps. */
export const MAX_VALUES = 400_000;

/** Most values that aliases and merge keys may add to a file by repeating what they refer to. */
export const MAX_ALIAS_VALUES = 100_000;

/** Most characters that aliases may add to a file; each is checked as often as it is repeated. */
export const MAX_ALIAS_CHARACTERS = 16_000_000;

/** Most lexical tokens of a file; keeps a file of 4 MiB made of punctuation from taking minutes. */
export const MAX_TOKENS = 2_000_000;

/** Most diagnostics reported for one file; a person mends the first ones and asks again. */
export const MAX_DIAGNOSTICS = 100;

/** Highest `maxOutputSize`, in bytes: an output is held in memory, and kept in the database. */
export const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Most characters of one text after its variables are expanded, and of the arguments of a process together. */
export const MAX_EXPANDED_CHARACTERS = 16 * 1024 * 1024;

/** Most expressions in one `schedule`: next times are computed for each of them whenever one is due. */
export const MAX_SCHEDULE_ENTRIES = 100;

/** Longest expression of a schedule, in characters; six fields that list every value have about 530. */
export const MAX_SCHEDULE_LENGTH = 1000;

/** What to say about a file of `bytes` bytes, or undefined when it is small enough. */
export function describeTooLarge(bytes: number): string | undefined {
  if (bytes <= MAX_FILE_BYTES) return undefined;
  // Rounded up, so that no file is said to have the 4.0 MiB it may have.
  const size = (Math.ceil((bytes / 1024 / 1024) * 10) / 10).toFixed(1);
  return `The file has ${size} MiB. The limit for workflow files is 4 MiB.`;
}

/** Most parameters of a run. Each is a variable of every step. */
export const MAX_PARAMETERS = 5_000;

/**
 * Most characters in all parameters of a run, names and values. Lists of runs show them, and few systems start a program
 * with more than 128 KiB in one variable or 2 MiB in all.
 */
export const MAX_PARAMETER_CHARACTERS = 524_288;
