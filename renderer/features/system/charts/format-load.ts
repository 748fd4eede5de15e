/** A load with two digits, so that a figure that changes keeps its width: `6.50`; whole at the marks of an axis: `10`. */
export const formatLoad = (value: number): string =>
  Number.isInteger(value) ? String(value) : value.toFixed(2);
