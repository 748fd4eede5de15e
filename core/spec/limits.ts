/** Maximum size of a workflow file, in bytes of UTF-8. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** Maximum size of the base configuration, in bytes of UTF-8. It is read on the main thread whenever it changes. */
export const MAX_BASE_BYTES = 64 * 1024;

/** Maximum number of steps in one file, across all its documents, without handlers. */
export const MAX_STEPS = 10_000;

/** Maximum number of documents in one file, including empty ones; each workflow has at least one step. */
export const MAX_DOCUMENTS = 10_000;

/**
 * Maximum number of dependencies between the steps of a workflow. Two consecutive groups of a thousand steps have a
 * million.
 */
export const MAX_DEPENDENCIES = 200_000;

/** Maximum nesting of lists and maps. Real workflows stay below ten; recursion over the nodes relies on this limit. */
export const MAX_DEPTH = 64;

/** Maximum number of values in a file, without keys; forty for each of 10,000 steps. */
export const MAX_VALUES = 400_000;

/** Maximum number of values that aliases and merge keys may add to a file by repetition. */
export const MAX_ALIAS_VALUES = 100_000;

/** Maximum number of characters that aliases may add to a file; each is validated as often as it is repeated. */
export const MAX_ALIAS_CHARACTERS = 16_000_000;

/** Maximum number of lexical tokens in a file. Without it, a 4 MiB file of punctuation would take minutes. */
export const MAX_TOKENS = 2_000_000;

/** Maximum number of diagnostics for one file. */
export const MAX_DIAGNOSTICS = 100;

/** Maximum `maxOutputSize`, in bytes. An output is held in memory and stored in the database. */
export const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Maximum length of one string after expansion, and of all arguments of a process, in UTF-16 code units. */
export const MAX_EXPANDED_CHARACTERS = 16 * 1024 * 1024;

/** Maximum number of expressions in one `schedule`. The next times of all of them are computed whenever one is due. */
export const MAX_SCHEDULE_ENTRIES = 100;

/** Maximum length of a schedule expression; six fields that list every value have about 530 characters. */
export const MAX_SCHEDULE_LENGTH = 1000;

/** Returns the error message for a file of this size in bytes, or undefined if it is small enough. */
export function formatTooLarge(bytes: number): string | undefined {
  if (bytes <= MAX_FILE_BYTES) return undefined;
  // Rounded up, so that the message never contains exactly the limit of 4.0 MiB.
  const size = (Math.ceil((bytes / 1024 / 1024) * 10) / 10).toFixed(1);
  return `The file is ${size} MiB. The limit for workflow files is 4 MiB.`;
}

/** Maximum number of parameters of a run. Each is a variable of every step. */
export const MAX_PARAMETERS = 5_000;

/**
 * Maximum length of all parameters of a run, names and values. Lists of runs contain them, and few systems start a
 * program with more than 128 KiB in one variable or 2 MiB in total.
 */
export const MAX_PARAMETER_CHARACTERS = 524_288;
