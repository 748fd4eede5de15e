import { useMemo } from 'react';

/** Options with all time zones, for a datalist. */
export function ZoneOptions() {
  const zones = useMemo(
    () => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')],
    [],
  );
  return zones.map((zone) => (
    <option key={zone} value={zone}>
      {zone.replaceAll('_', ' ')}
    </option>
  ));
}
