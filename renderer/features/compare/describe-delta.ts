/**
 * Formats a change in duration: `+32 %`, `−5 %`, `3.1×` from a factor of three, `12×` from ten. Empty if the
 * earlier duration is zero.
 */
export function describeDelta(before: number, after: number): string {
  if (before <= 0) return '';
  const factor = after / before;
  if (factor >= 9.95) return `${Math.round(factor).toLocaleString('en')}×`;
  if (factor >= 3) return `${factor.toFixed(1)}×`;
  const percent = Math.round((factor - 1) * 100);
  if (percent === 0) return '±0 %';
  return `${percent > 0 ? '+' : '−'}${Math.abs(percent)} %`;
}
