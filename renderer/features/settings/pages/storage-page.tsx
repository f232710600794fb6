import { FolderOpen } from 'lucide-react';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useStorage } from '../model/use-storage.ts';
import { CleanRow } from '../ui/clean-row.tsx';
import { Hint, SettingsGroup } from '../ui/settings-group.tsx';
import { MoveLibrary } from '../ui/move-library.tsx';
import { OldRows } from '../ui/old-rows.tsx';
import { Setting } from '../ui/setting.tsx';
import { StorageChart } from '../ui/storage-chart.tsx';
import { StorageNews } from '../ui/storage-news.tsx';
import css from './storage-page.module.css';

export function StoragePage() {
  const t = useText();
  const formats = useFormats();
  const storage = useStorage();
  const { use } = storage;
  const total = use?.parts.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;
  const inUse =
    use?.freeBytes == null
      ? t('settings.storage.inUse', { size: formats.bytes(total) })
      : t('settings.storage.inUseAndFree', { size: formats.bytes(total), free: formats.bytes(use.freeBytes) });
  return (
    <>
      <SettingsGroup title={t('settings.storage.group')}>
        <Setting name="use">
          <div className={css['head']}>
            <p className={css['total']}>{use !== null && inUse}</p>
            <Button size="sm" icon={FolderOpen} onPress={() => void storage.openFolder()}>
              {t('settings.storage.openFolder')}
            </Button>
          </div>
        </Setting>
        {use !== null && <StorageChart use={use} />}
        <Hint>
          {use?.movedTo == null
            ? t('settings.storage.where')
            : t('settings.storage.whereMoved', { folder: use.movedTo })}
        </Hint>
        <StorageNews storage={storage} />
      </SettingsGroup>
      <SettingsGroup title={t('settings.storage.move.group')}>
        <Setting name="move">
          <MoveLibrary />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('settings.storage.cleanGroup')}>
        {(['prepared', 'peaks', 'backups', 'log', 'practice'] as const).map((part) => (
          <Setting key={part} name={part}>
            <CleanRow part={part} storage={storage} />
          </Setting>
        ))}
        <Setting name="oldRows">
          <OldRows />
        </Setting>
      </SettingsGroup>
    </>
  );
}
