/**
 * The seeds of a test that chance drives: `FAULT_SEEDS=40` takes the first forty, `FAULT_SEED=17` that one.
 * @param usual those of every run, few since each takes seconds
 */
export function chooseSeeds(usual: readonly number[]): readonly number[] {
  const { FAULT_SEED: only, FAULT_SEEDS: count } = process.env;
  if (only !== undefined) return [Number(only)];
  return count === undefined ? usual : Array.from({ length: Number(count) }, (_, index) => index + 1);
}
