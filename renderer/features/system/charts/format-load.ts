/** Formats a load with two decimals, so that its width is stable: `6.50`; axis ticks are whole: `10`. */
export const formatLoad = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(2);
