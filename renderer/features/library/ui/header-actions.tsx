import { CloudDownload, ContactRound, Ellipsis, FileInput, HardDrive, ListFilter } from 'lucide-react';
import { useRunCommand } from '../../../lib/commands.tsx';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { useLibraryContext } from '../library-context.ts';
import { librarySorts, type LibrarySort } from '../model/library-view.ts';

export type ShownSort = LibrarySort | 'moments';

/** The sort order of the list; search results can also be sorted by relevance. */
export function SortMenu({
  sort,
  isSearch,
  onSort,
}: {
  readonly sort: ShownSort;
  readonly isSearch: boolean;
  readonly onSort: (sort: ShownSort) => void;
}) {
  const t = useText();
  const sorts: readonly ShownSort[] = isSearch ? [...librarySorts, 'moments'] : librarySorts;
  return (
    <Menu
      label={t('library.sort')}
      chosenId={sort}
      entries={sorts.map((id) => ({
        id,
        text: t(`library.sorts.${id}`),
        onAction: () => {
          onSort(id);
        },
      }))}
      trigger={
        <Button variant="ghost" icon={ListFilter} label={`${t('library.sort')}: ${t(`library.sorts.${sort}`)}`}>
          {t(`library.sorts.${sort}`)}
        </Button>
      }
    />
  );
}

/** Actions for the library as a whole. */
export function LibraryMenu() {
  const t = useText();
  const run = useRunCommand();
  const { ask } = useLibraryContext();
  return (
    <Menu
      label={t('library.more')}
      entries={[
        {
          id: 'import',
          text: t('palette.commands.importTranscripts'),
          icon: FileInput,
          onAction: () => run('transcripts.import'),
        },
        ...(
          [
            ['remote', 'library.remote.menu', CloudDownload],
            ['speakers', 'library.book.menu', ContactRound],
            ['media', 'library.media.menu', HardDrive],
          ] as const
        ).map(([tag, text, icon]) => ({
          id: tag,
          text: t(text),
          icon,
          onAction: () => {
            ask({ tag });
          },
        })),
      ]}
      trigger={<IconButton icon={Ellipsis} label={t('library.more')} />}
    />
  );
}
