import { Languages, X } from 'lucide-react';
import { logCharsets, type LogCharset } from '../../../../core/model/workflow/log-charset.ts';
import { IconButton } from '../../../ui/controls/icon-button.tsx';
import { Select } from '../../../ui/controls/select.tsx';
import { setLogOptions, useLogOptions } from '../use-log-options.ts';
import styles from '../log.module.css';

const names: Readonly<Record<LogCharset, string>> = {
  'utf-8': 'UTF-8',
  shift_jis: 'Shift_JIS',
  'euc-jp': 'EUC-JP',
  'iso-8859-1': 'ISO-8859-1',
  'windows-1252': 'Windows-1252',
  gbk: 'GBK',
  big5: 'Big5',
  'euc-kr': 'EUC-KR',
};

/** Selects the encoding of logs. */
export function CharsetBar({ onClose }: { readonly onClose: () => void }) {
  const { charset } = useLogOptions();
  return (
    <div className={styles.searchBar}>
      <Languages size={14} aria-hidden="true" />
      <span>Encoding for non-UTF-8 text</span>
      <Select
        label="Encoding"
        value={charset ?? 'auto'}
        choices={[
          { value: 'auto' as const, label: 'System locale' },
          ...logCharsets.map((value) => ({ value, label: names[value] })),
        ]}
        onChange={(value) => setLogOptions({ charset: value === 'auto' ? undefined : value })}
      />
      <IconButton label="Close" icon={X} size="small" onPress={onClose} />
    </div>
  );
}
