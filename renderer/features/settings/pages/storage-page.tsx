import { FolderOpen } from 'lucide-react';
import { useState } from 'react';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { removableOf, useStorage, type CleanablePart } from '../model/use-storage.ts';
import { CleanRow } from '../ui/clean-row.tsx';
import { Setting, Hint, SettingsGroup } from '../ui/settings-group.tsx';
import { MoveLibrary } from '../ui/move-library.tsx';
import { OldRows } from '../ui/old-rows.tsx';
import { StorageChart } from '../ui/storage-chart.tsx';
import { StorageNews } from '../ui/storage-news.tsx';
import css from '../ui/settings-pages.module.css';

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
          <div className={css['storageHead']}>
            <p className={css['storageTotal']}>{use !== null && inUse}</p>
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
        <CleanRows storage={storage} />
        <Setting name="oldRows">
          <OldRows />
        </Setting>
      </SettingsGroup>
    </>
  );
}

const cleanable = ['prepared', 'peaks', 'backups', 'log', 'practice'] as const;

/** A row for each part that has content, or had some when the page was opened; the rest share a line. */
function CleanRows({ storage }: { readonly storage: ReturnType<typeof useStorage> }) {
  const t = useText();
  const [seen, setSeen] = useState<readonly CleanablePart[]>([]);
  const holding = cleanable.filter((part) => removableOf(storage.use, part) > 0 || seen.includes(part));
  if (holding.length > seen.length) setSeen(holding);
  const empty = storage.use === null ? [] : cleanable.filter((part) => !holding.includes(part));
  return (
    <>
      {holding.map((part) => (
        <Setting key={part} name={part}>
          <CleanRow part={part} storage={storage} />
        </Setting>
      ))}
      {empty.length > 0 && (
        <div className={css['nothingStored']}>
          {t('settings.storage.nothing')}:
          {empty.map((part, index) => (
            <Setting key={part} name={part}>
              {t(`settings.storage.${part}.title`)}
              {index < empty.length - 1 && ','}
            </Setting>
          ))}
        </div>
      )}
    </>
  );
}
