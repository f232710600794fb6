import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, FileText, Folder, Mic, Plus, Search, Tag, X, type LucideIcon } from 'lucide-react';
import type { ChosenSource } from '../../../../shared/domain/assistant/ask-messages.ts';
import { mostAskedAbout } from '../../../../shared/domain/assistant/ask-tasks.ts';
import { withFoldersBelow } from '../../../../shared/domain/library/library-item.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText } from '../../../lib/text.ts';
import { libraryQuery, transcriptListKey, transcriptsQuery } from '../../../parts/transcripts/transcripts-query.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { command, Menu, type MenuEntry } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import css from '../ask.module.css';

export const sourcesOf = (ids: readonly string[]): readonly ChosenSource[] => ids.map((id) => ({ kind: 'item', id }));

const isSame = (one: ChosenSource, other: ChosenSource): boolean => one.kind === other.kind && one.id === other.id;

export const withoutSource = (sources: readonly ChosenSource[], gone: ChosenSource): readonly ChosenSource[] =>
  sources.filter((one) => !isSame(one, gone));

export const withSources = (
  sources: readonly ChosenSource[],
  added: readonly ChosenSource[],
): readonly ChosenSource[] => [...sources, ...added.filter((one) => !sources.some((other) => isSame(one, other)))];

const canBeAsked = (kind: string): boolean => kind === 'transcript' || kind === 'dictation';

/** What the library knows of sources: their names, and which recordings and dictations they are. */
export function useSourceFacts() {
  const t = useText();
  const studio = useStudio();
  const transcripts = useQuery(transcriptsQuery(studio)).data;
  const library = useQuery(libraryQuery(studio)).data;
  const items = library?.items.filter(({ kind, trashedAtMs }) => canBeAsked(kind) && trashedAtMs === null) ?? [];
  const titles = new Map([
    ...items.map(({ id, title }) => [id, title] as const),
    ...(transcripts ?? []).map(({ id, title }) => [id, title] as const),
  ]);
  const itemsOf = (source: ChosenSource): readonly string[] => {
    if (source.kind === 'item') return [source.id];
    if (source.kind === 'search') return source.itemIds;
    const folders = source.kind === 'folder' ? withFoldersBelow(library?.folders ?? [], source.id) : null;
    return items
      .filter(({ folderId, tagIds }) => (folders === null ? tagIds.includes(source.id) : folders.has(folderId ?? '')))
      .map(({ id }) => id);
  };
  return {
    library,
    isKnown: (id: string): boolean => titles.has(id),
    titleOf: (id: string): string => titles.get(id) ?? t('ask.deletedTranscript'),
    /** Where it can be heard, and opened. */
    isDictation: (id: string): boolean => items.some((one) => one.id === id && one.kind === 'dictation'),
    /** A document has no times. */
    hasTimes: (id: string): boolean => items.find((one) => one.id === id)?.states.includes('no-recording') !== true,
    itemsOf,
    /** Its folder or tag has not been deleted since. */
    isThere: ({ kind, id }: ChosenSource): boolean =>
      (kind !== 'folder' && kind !== 'tag') ||
      library === undefined ||
      (kind === 'folder' ? library.folders : library.tags).some((one) => one.id === id),
    idsOf: (sources: readonly ChosenSource[]): readonly string[] =>
      [...new Set(sources.flatMap(itemsOf))].slice(0, mostAskedAbout),
    nameOf: ({ kind, id }: ChosenSource): string => {
      if (kind === 'item') return titles.get(id) ?? t('ask.deletedTranscript');
      if (kind === 'search') return t('ask.searchSource', { words: id });
      const known = kind === 'folder' ? library?.folders : library?.tags;
      return known?.find((one) => one.id === id)?.name ?? '';
    },
  };
}

const icons = { item: FileText, folder: Folder, tag: Tag, search: Search } satisfies Record<
  ChosenSource['kind'],
  LucideIcon
>;

interface SourcesBarProps {
  readonly sources: readonly ChosenSource[];
  readonly onSources: (sources: readonly ChosenSource[]) => void;
  readonly onChoose: () => void;
  readonly onAddTexts: () => void;
}

export function SourcesBar({ sources, onSources, onChoose, onAddTexts }: SourcesBarProps) {
  const t = useText();
  const facts = useSourceFacts();
  const itemCount = new Set(sources.flatMap(facts.itemsOf)).size;
  return (
    <div className={css['sources']}>
      <span className="small muted">{t('ask.about')}</span>
      {sources.length > 0 && (
        <ul className={css['contents']} aria-label={t('ask.about')}>
          {sources.map((source) => {
            const title = facts.nameOf(source);
            const Icon = source.kind === 'item' && facts.isDictation(source.id) ? Mic : icons[source.kind];
            return (
              <li key={`${source.kind} ${source.id}`} className={css['source']}>
                <Icon aria-hidden size={14} strokeWidth={1.75} />
                <span className="cut">{title}</span>
                {source.kind !== 'item' && (
                  <span className={css['count']}>{t('ask.recordings', { count: facts.itemsOf(source).length })}</span>
                )}
                <IconButton
                  size="sm"
                  icon={X}
                  className={css['inherits']}
                  label={t('ask.removeSource', { title })}
                  onPress={() => onSources(withoutSource(sources, source))}
                />
              </li>
            );
          })}
        </ul>
      )}
      {itemCount > mostAskedAbout && (
        <output className="small muted">{t('ask.onlyFirst', { most: mostAskedAbout, all: itemCount })}</output>
      )}
      <AddSource {...{ sources, onSources, onChoose, onAddTexts }} isMain={false} />
    </div>
  );
}

export function AddSource({
  sources,
  onSources,
  onChoose,
  onAddTexts,
  isMain,
}: SourcesBarProps & { readonly isMain: boolean }) {
  const t = useText();
  const { library, idsOf } = useSourceFacts();
  const branch = (kind: 'folder' | 'tag', icon: LucideIcon, known: readonly { id: string; name: string }[] = []) => {
    const all = known.filter(({ id }) => !sources.some((one) => isSame(one, { kind, id })));
    return all.length === 0
      ? []
      : [
          {
            id: kind,
            icon,
            text: t(`ask.add.${kind}`),
            entries: all
              .toSorted((one, other) => one.name.localeCompare(other.name))
              .map(({ id, name }) => ({
                id,
                text: name,
                onAction: () => onSources(withSources(sources, [{ kind, id }])),
              })),
          },
        ];
  };
  const entries: readonly MenuEntry[] = [
    command('items', FileText, t('ask.add.items'), onChoose),
    ...branch('folder', Folder, library?.folders),
    ...branch('tag', Tag, library?.tags),
    command('texts', FileText, t('ask.add.texts'), onAddTexts),
  ];
  return (
    <Menu
      label={t('ask.add.title')}
      placement="bottom start"
      entries={entries}
      trigger={
        <Button
          size={isMain ? 'md' : 'sm'}
          variant={isMain ? 'primary' : 'ghost'}
          icon={Plus}
          isDisabled={idsOf(sources).length >= mostAskedAbout}
        >
          {t(isMain ? 'ask.choose' : 'ask.add.title')}
        </Button>
      }
    />
  );
}

/** Brings text files into the library, where their words can be quoted from. Resolves to their ids. */
export function useTextSources() {
  const t = useText();
  const studio = useStudio();
  const words = useFailureText();
  const showToast = useToast();
  const queries = useQueryClient();
  return async (files: readonly File[] | null): Promise<readonly string[]> => {
    const tokens = files && (await Promise.all(files.map((file) => studio.fileTokenFor(file))));
    const known = tokens?.flatMap((token) => (token.ok ? [token.value] : [])) ?? null;
    const imported = await studio.request('transcripts.import', { tokens: known });
    if (!imported.ok) {
      showToast({ text: words(imported.error).text, icon: CircleAlert });
      return [];
    }
    const { refused, repeated } = imported.value;
    const names = refused.map(({ name }) => name).join(', ');
    if (refused.length > 0)
      showToast({ text: t('transcripts.notImported', { count: refused.length, names }), icon: CircleAlert });
    await queries.invalidateQueries({ queryKey: transcriptListKey });
    const listed = repeated.length === 0 ? [] : await queries.fetchQuery(transcriptsQuery(studio));
    const before = repeated.flatMap(({ name }) => listed.find(({ sourceName }) => sourceName === name)?.id ?? []);
    return [...imported.value.imported.map(({ transcriptId }) => transcriptId), ...before];
  };
}
