import { Ellipsis, FolderInput, MessageSquareQuote, RotateCcw, Share, Tag, Trash2, X } from 'lucide-react';
import { Toolbar } from 'react-aria-components';
import { mostAskedAbout } from '../../../../shared/domain/assistant/ask-tasks.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useLibraryContext } from '../library-context.ts';
import type { ListedItem } from '../model/library-view.ts';
import { useFolderEntries, useLanguageBranch, useTagEntries } from './item-menu.ts';
import css from './selection-bar.module.css';

/** Actions for the selected items. The bar floats, so that no row moves. */
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
  const { trash, restore, ask, askAbout } = useLibraryContext();
  const folderEntries = useFolderEntries();
  const tagEntries = useTagEntries();
  const languageBranch = useLanguageBranch();
  if (selected.length === 0) return null;
  const transcripts = selected.filter(({ kind }) => kind === 'transcript');
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
          {transcripts.length > 0 && (
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
          {transcripts.length > 0 && transcripts.length <= mostAskedAbout && (
            <Button
              size="sm"
              variant="ghost"
              icon={MessageSquareQuote}
              label={t('library.askAbout')}
              onPress={() => {
                askAbout(transcripts);
              }}
            >
              {t('library.askShort')}
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
          <Menu
            label={t('library.moreSelected')}
            entries={() => [
              { id: 'tags', text: t('library.tags'), icon: Tag, entries: tagEntries(selected) },
              ...languageBranch(selected),
            ]}
            placement="top end"
            trigger={<IconButton size="sm" icon={Ellipsis} label={t('library.moreSelected')} />}
          />
        </>
      )}
      <IconButton size="sm" icon={X} label={t('library.clearSelection')} onPress={onClear} />
    </Toolbar>
  );
}
