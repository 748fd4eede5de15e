import { Page } from '../../ui/layout/page.tsx';
import { ComponentSamples } from './component-samples.tsx';
import styles from './gallery.module.css';
import { StatusSamples } from './status-samples.tsx';
import { ColourSamples, TypeSamples } from './token-samples.tsx';

/** Every token, status and component in every state, for the eye and for screenshots. Not in the navigation. */
export function GalleryPage() {
  return (
    <Page title="Design gallery" below={<p className={styles.lead}>Everything the pages are made of.</p>}>
      <div className={styles.scroll}>
        <div className={styles.gallery}>
          <StatusSamples />
          <ComponentSamples />
          <TypeSamples />
          <ColourSamples />
        </div>
      </div>
    </Page>
  );
}
