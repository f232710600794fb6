import { FolderInput, RotateCcw, Share, Tag, Trash2, X } from 'lucide-react';
import { Toolbar } from 'react-aria-components';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useLibraryContext } from '../library-context.ts';
import type { ListedItem } from '../model/library-view.ts';
import { useFolderEntries, useTagEntries } from './item-menu.ts';
import css from './selection-bar.module.css';

/** What can be done with the selected things. It floats, so that no row moves. */
export function SelectionBar({
  selected,
  isTrash,
  onClear,
}: {
  readonly selected: readonly ListedItem[];
  readonly isTrash: boolean;
  readonly onClear: () => void;
}) {
  const t = useText();
  const formats = useFormats();
  const { trash, restore, ask } = useLibraryContext();
  const folderEntries = useFolderEntries();
  const tagEntries = useTagEntries();
  if (selected.length === 0) return null;
  const lengthMs = selected.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0);
  return (
    <Toolbar className={css['bar'] ?? ''} aria-label={t('library.selection')}>
      <output className={css['count']}>
        <b>{t('library.selected', { count: selected.length })}</b>{' '}
        <span className={css['length']}>{formats.clock(lengthMs)}</span>
      </output>
      {isTrash ? (
        <>
          <Button
            size="sm"
            variant="ghost"
            icon={RotateCcw}
            onPress={() => {
              restore(selected);
            }}
          >
            {t('library.restore')}
          </Button>
          <Button
            size="sm"
            variant="ghost"
            icon={Trash2}
            onPress={() => {
              ask({ tag: 'erase', items: selected });
            }}
          >
            {t('library.eraseMenu')}
          </Button>
        </>
      ) : (
        <>
          <Menu
            label={t('library.move')}
            entries={() => folderEntries(selected)}
            placement="top start"
            trigger={
              <Button size="sm" variant="ghost" icon={FolderInput}>
                {t('library.moveShort')}
              </Button>
            }
          />
          <Menu
            label={t('library.tags')}
            entries={() => tagEntries(selected)}
            placement="top start"
            trigger={
              <Button size="sm" variant="ghost" icon={Tag}>
                {t('library.tags')}
              </Button>
            }
          />
          {selected.some(({ kind }) => kind === 'transcript') && (
            <Button
              size="sm"
              variant="ghost"
              icon={Share}
              onPress={() => {
                ask({ tag: 'export', items: selected });
              }}
            >
              {t('library.exportMany')}
            </Button>
          )}
          <Button
            size="sm"
            variant="ghost"
            icon={Trash2}
            label={t('library.toTrash')}
            onPress={() => {
              trash(selected);
            }}
          >
            {t('library.trashShort')}
          </Button>
        </>
      )}
      <IconButton size="sm" icon={X} label={t('library.clearSelection')} onPress={onClear} />
    </Toolbar>
  );
}
