import { preferenceOptions, setPreferences, usePreferences } from '../../app/preferences.ts';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Page } from '../../ui/layout/page.tsx';
import { ChartSamples } from './chart-samples.tsx';
import { ControlSamples } from './control-samples.tsx';
import { FieldSamples } from './field-samples.tsx';
import styles from './gallery.module.css';
import { LayoutSamples } from './layout-samples.tsx';
import { ListSamples } from './list-samples.tsx';
import { OverlaySamples } from './overlay-samples.tsx';
import { StatusSamples } from './status-samples.tsx';
import { ColourSamples, SizeSamples, TypeSamples } from './token-samples.tsx';

/** Every token, status and component in every state, for review and screenshots. Not in the navigation. */
export function GalleryPage() {
  const density = usePreferences((chosen) => chosen.density);
  return (
    <Page
      title="Design gallery"
      below={<p className={styles.lead}>All components.</p>}
      actions={
        <Segmented
          label="Density"
          value={density}
          choices={preferenceOptions.density.map((value) => ({
            value,
            label: value === 'compact' ? 'Compact' : 'Comfortable',
          }))}
          onChange={(next) => setPreferences({ density: next })}
        />
      }
    >
      <div className={styles.scroll}>
        <div className={styles.gallery}>
          <StatusSamples />
          <ControlSamples />
          <FieldSamples />
          <LayoutSamples />
          <ListSamples />
          <ChartSamples />
          <OverlaySamples />
          <TypeSamples />
          <SizeSamples />
          <ColourSamples />
        </div>
      </div>
    </Page>
  );
}
